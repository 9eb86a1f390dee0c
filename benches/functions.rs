//! Lists of the benchmark with other functions than InjectGpuAlias.

const CONFIG: &str = "\nfunctionConfig:\n";

/// A function and its `spec`, indented as in a functionConfig.
const SPECS: &[(&str, &str)] = &[
    (
        "InjectGpuAlias",
        "  aliases:\n  - deviceType: type-PF\n    name: nvidia\n    numaPolicy: preferred\n    productId: \"27b8\"\n    vendorId: \"10de\"\n",
    ),
    (
        "SetServiceConfig",
        "  services:\n  - service: nova-api\n    config: |\n      [api]\n      max_limit = 2000\n",
    ),
    (
        "GenerateVolumes",
        "  capacity: 10Gi\n  count: 3\n  nodes:\n  - worker-100\n  path: /mnt/generated\n  prepare: false\n  storageClass: generated\n",
    ),
    ("PrefixAddressPools", "  namespace: tenant-0\n  pools:\n  - internalapi\n"),
    ("SetSyncWaves", "  rules: []\n"),
    ("ValidateSecrets", "  complete: false\n"),
];

/// The names of the functions, which `for_function` knows.
pub fn functions() -> impl Iterator<Item = &'static str> {
    SPECS.iter().map(|(function, _)| *function)
}

/// The list with the functionConfig of a function in place of its own. None if the function is unknown.
pub fn for_function(list: &str, function: &str) -> Option<String> {
    let (_, spec) = SPECS.iter().find(|(name, _)| *name == function)?;
    let (items, _) = list.split_once(CONFIG)?;
    let config = format!(
        "apiVersion: fn.rhoso.dev/v1alpha1\nkind: {function}\nmetadata:\n  name: benchmark\nspec:\n{spec}"
    );
    let config: String = config.lines().map(|line| format!("  {line}\n")).collect();
    Some(format!("{items}{CONFIG}{config}"))
}
