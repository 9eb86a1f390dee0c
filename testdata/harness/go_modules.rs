//! The modules of the Go programs that the tests run.

use std::collections::BTreeMap;
use std::fs;

use crate::host::root;

/// Programs that use Kubernetes 1.34. With the same versions of everything, what they share is compiled once, which saves
/// a fifth of the time that a new machine takes to build the tools.
const ALIGNED: [&str; 4] = ["cmp-server/go.mod", "apiserver/go.mod", "kpt/go.mod", "kpt/older.mod"];

/// The tests run two releases of kpt.
const DIFFERENT: &str = "github.com/kptdev/kpt";

#[test]
fn modules_that_programs_share_have_one_version() {
    let mut versions: BTreeMap<String, (String, &str)> = BTreeMap::new();
    for file in ALIGNED {
        for (module, version) in
            requirements(&fs::read_to_string(root().join("testdata/tools").join(file)).unwrap())
        {
            if module == DIFFERENT {
                continue;
            }
            let (first, other) =
                versions.entry(module.clone()).or_insert_with(|| (version.clone(), file)).clone();
            let advice = "use the newer one in both, and run `go mod tidy`";
            assert_eq!(version, first, "{module} has another version in {file} than in {other}; {advice}");
        }
    }
    assert!(versions["k8s.io/api"].0.starts_with("v0.34."));
}

/// The modules that a file requires, with the versions that replace theirs.
fn requirements(file: &str) -> BTreeMap<String, String> {
    let lines = file.lines().map(|line| line.trim().trim_start_matches("replace "));
    let mut found = BTreeMap::new();
    for words in lines.map(|line| line.split_whitespace().collect::<Vec<_>>()) {
        match words[..] {
            [module, "=>", _, version] | [module, version, ..]
                if version.starts_with('v') && module.contains('.') =>
            {
                // Replacements are last.
                found.insert(module.to_owned(), version.to_owned());
            }
            _ => {}
        }
    }
    found
}
