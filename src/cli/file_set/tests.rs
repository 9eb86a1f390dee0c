use super::*;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn count(directory: &Path) -> usize {
    fs::read_dir(directory).unwrap().count()
}

fn prepared(target: PathBuf, text: &str) -> Move {
    let existing = fs::metadata(&target).ok();
    let fresh = write_temporary(&target, Content::Text(text), existing.as_ref()).unwrap();
    Move { fresh, target, is_over: existing.is_some() }
}

#[test]
fn a_failed_rename_restores_all_files() {
    let dir = tempfile::tempdir().unwrap();
    let place = |name: &str| dir.path().join(name);
    fs::write(place("old"), "before").unwrap();
    fs::set_permissions(place("old"), Permissions::from_mode(0o640)).unwrap();
    let moves = vec![
        prepared(place("old"), "after"),
        prepared(place("new"), "after"),
        prepared(place("lost"), ""),
        prepared(place("last"), ""),
    ];
    assert_eq!(mode(&moves[0].fresh.path), 0o640, "not readable by more users than the replaced file");
    fs::remove_file(&moves[2].fresh.path).unwrap(); // makes the rename fail
    let error = move_all(moves).unwrap_err();
    assert!(format!("{error:#}").contains("/lost: "), "{error:#}");
    assert_eq!(fs::read_to_string(place("old")).unwrap(), "before");
    assert_eq!(mode(&place("old")), 0o640);
    assert_eq!(count(dir.path()), 1, "only the old file remains");
    assert_eq!(move_all(vec![prepared(place("old"), "after"), prepared(place("new"), "")]).unwrap().len(), 2);
    assert_eq!(fs::read_to_string(place("old")).unwrap(), "after");
    assert_eq!((mode(&place("old")), count(dir.path())), (0o640, 2));
}

#[test]
fn the_outcome_does_not_depend_on_the_number_of_threads() {
    for threads in [1, 4] {
        let dir = tempfile::tempdir().unwrap();
        let new = |number: usize, content| NewFile {
            root: dir.path(),
            below: PathBuf::from(format!("{}/{number}.yaml", number % 3)),
            content: Content::Text(content),
        };
        let write = |files: &[NewFile]| write_on(threads, files);
        let files: Vec<NewFile> = (0..40).map(|number| new(number, "a")).collect();
        let targets: Vec<PathBuf> = files.iter().map(NewFile::target).collect();
        assert_eq!(write(&files).unwrap(), targets);
        assert!(write(&files).unwrap().is_empty(), "nothing differs");
        for number in [17, 30] {
            fs::remove_file(&targets[number]).unwrap();
            fs::create_dir(&targets[number]).unwrap();
        }
        let files: Vec<NewFile> = (0..40).map(|number| new(number, "b")).collect();
        let error = write(&files).unwrap_err().to_string();
        assert!(error.contains("/17.yaml: it is a directory"), "{error}");
        assert_eq!(fs::read_to_string(&targets[0]).unwrap(), "a");
        // One file cannot be written, because a file has the name of its directory. None is written then.
        fs::write(dir.path().join("x"), "").unwrap();
        let mut files = vec![new(0, "b"), new(1, "a")];
        files.push(NewFile { root: dir.path(), below: "x/2.yaml".into(), content: Content::Text("b") });
        let error = write(&files).unwrap_err().to_string();
        assert!(error.contains("/x is not a directory"), "{error}");
        assert_eq!(
            (fs::read_to_string(&targets[0]).unwrap(), count(&dir.path().join("0"))),
            ("a".into(), 14)
        );
    }
}

#[test]
fn a_backup_that_cannot_be_restored_is_kept_and_reported() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("old");
    fs::write(&target, "before").unwrap();
    let backup = Temporary::keep(&target).unwrap();
    fs::remove_file(&target).unwrap();
    fs::create_dir(&target).unwrap(); // makes the rename fail
    let error = move_back(vec![(target, Some(backup))], Error::msg("first")).to_string();
    let kept = error.split(" from ").nth(1).and_then(|rest| rest.split(": ").next()).unwrap();
    assert!(error.starts_with("first; ") && kept.ends_with(".kept"), "{error}");
    assert_eq!(fs::read_to_string(kept).unwrap(), "before");
}
