use super::*;
use crate::krm::Place;

#[test]
fn the_findings_do_not_depend_on_the_number_of_threads() {
    let pool = |name: &str| {
        let spec = "spec:\n  addresses: [10.0.0.0/24, 10.0.1.x]\n  other: 1\n";
        format!("apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {{name: {name}}}\n{spec}")
    };
    let map = "apiVersion: v1\nkind: ConfigMap\ndata:\n  key: '-----BEGIN RSA PRIVATE KEY-----'\n".to_owned();
    let read = |text: String| {
        let origin = Place::in_file("a.yaml", Some(1));
        let mut item = Resource::from_file(text.as_str().into(), 0..text.len(), origin).unwrap();
        item.release();
        item
    };
    let findings = |threads| {
        let items = [pool("a"), pool("b"), map.clone(), pool("c")].map(read);
        let mut results = Results::default();
        let all = Selection::new(&rules_of_checks(), &[], &[]).unwrap();
        run_checks(threads, &Model::read(&items), &all, &mut results);
        results.into_sorted()
    };
    let alone = findings(1);
    assert!(alone.len() > 6, "{alone:?}");
    for threads in [2, 4] {
        assert_eq!(findings(threads), alone);
    }
}
