//! `explain instance`: prints the catalogue of instance types.

use std::fmt::Write;

use crate::krm::{Order, quoted};
use crate::platform::instance::{self, InstanceType};
use crate::platform::instance_name::{self, Unlisted};
use crate::platform::provider::{PROVIDERS, Provider};

/// Describes the instance type with this name. If `name` is a cloud, a family or a GPU, lists the matching
/// types; if it is empty, lists all types, sorted by GPU and cloud.
pub fn explain_instance(name: &str) -> Result<String, String> {
    let wanted = normal(name);
    let is_wanted = |known: &&InstanceType| {
        wanted.is_empty()
            || normal(known.cloud.name()) == wanted
            || normal(known.accelerator.as_str()) == wanted
            || normal(known.accelerator.model()) == wanted
            || is_of_family(known, &wanted)
    };
    if let Some(known) = instance::catalogue().iter().find(|known| normal(known.name) == wanted) {
        return Ok(page(known));
    }
    let mut found: Vec<&InstanceType> = instance::catalogue().iter().filter(is_wanted).collect();
    if found.is_empty() {
        return Err(not_found(name));
    }
    // The sort is stable, so the sizes of a family keep the catalogue's order.
    found.order_by_key(|known| (known.accelerator.as_str(), known.cloud));
    Ok(table(&found))
}

/// The error for a name that matches nothing, with a suggestion if a plausible one exists.
fn not_found(name: &str) -> String {
    let unlisted = Unlisted::of(name);
    let models = instance::catalogue().iter().map(|known| known.accelerator.model());
    let others = models.chain(PROVIDERS.iter().map(|provider| provider.name()));
    let hint = unlisted.suggestion().or_else(|| instance_name::slip(name, others));
    let hint = hint.map(|meant| format!("did you mean {}? ", quoted(meant))).unwrap_or_default();
    let what = match unlisted {
        Unlisted::Slip(_) | Unlisted::Unknown => {
            format!("{} is not a known instance type, family, GPU or cloud", quoted(name))
        }
        _ => unlisted.describe(name),
    };
    format!("{what}; {hint}`rhoso-fn explain instance` lists all instance types with GPUs")
}

/// Whether an instance type belongs to a family: `g6` on AWS, `a2` and `a2-highgpu` on GCP, `NC` on Azure,
/// where the number of CPUs follows the family without a separator.
fn is_of_family(known: &InstanceType, family: &str) -> bool {
    let name = normal(known.name);
    let name = name.strip_prefix("standard-").unwrap_or(&name);
    let Some(rest) = name.strip_prefix(family.strip_prefix("standard-").unwrap_or(family)) else {
        return false;
    };
    match known.cloud {
        Provider::Azure => rest.starts_with(|c: char| c == '-' || c.is_ascii_digit()),
        _ => rest.starts_with(['.', '-']),
    }
}

/// Normalizes case and separators, so that `NVIDIA L4` matches `nvidia-l4`.
fn normal(name: &str) -> String {
    name.replace([' ', '_'], "-").to_lowercase()
}

fn table(found: &[&InstanceType]) -> String {
    let mut out = format!(
        "{:<26} {:>5} {:>9}  {:<5}  {:<35} {:>5} {:>9}  {:<5}  {}\n",
        "GPU", "COUNT", "EACH", "CLOUD", "NAME", "VCPU", "MEMORY", "ARCH", "NOTE"
    );
    for known in found {
        let line = format!(
            "{:<26} {:>5} {:>9}  {:<5}  {:<35} {:>5} {:>9}  {:<5}  {}",
            known.accelerator.as_str(),
            known.count.map_or("?".to_owned(), |count| count.to_string()),
            gib(known.gpu_memory_mib),
            known.cloud.name(),
            known.name,
            known.cpus,
            gib(known.memory_mib),
            known.architecture,
            known.note
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn page(known: &InstanceType) -> String {
    let mut out = format!(
        "{} {}\n\nGPU:           {}\ncount:         {}\nmemory each:   {}\nvCPU:          {}\nmemory:        {}\narchitecture:  {}\n",
        known.cloud.name(),
        known.name,
        known.accelerator,
        known.count.map_or("unknown".to_owned(), |count| count.to_string()),
        gib(known.gpu_memory_mib),
        known.cpus,
        gib(known.memory_mib),
        known.architecture
    );
    if !known.note.is_empty() {
        let _ = writeln!(out, "note:          {}", known.note);
    }
    if let Some(resource) = known.accelerator.resource() {
        let _ = write!(
            out,
            "\nPods request {resource}. In the limits of a ClusterAutoscaler, the GPU type is {}.\n\nIn GenerateMachineSets:\n\n  machines:\n  - instanceType: {}\n",
            known.accelerator, known.name
        );
        if known.count.is_none() {
            let _ = writeln!(
                out,
                "    capacity: {{gpu: {}, count: 1}} # set count to the number of GPUs",
                known.accelerator
            );
        }
    }
    out
}

fn gib(mib: Option<u64>) -> String {
    match mib {
        None => "-".to_owned(),
        Some(mib) if mib % 1024 == 0 => format!("{} GiB", mib / 1024),
        Some(mib) => format!("{:.1} GiB", mib as f64 / 1024.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_gpus_and_clouds_are_found() {
        let all = explain_instance("").unwrap();
        assert_eq!(all.lines().count(), instance::catalogue().len() + 1);
        assert!(explain_instance("g6.12XLARGE").unwrap().contains("count:         4\n"));
        let l4 = explain_instance("NVIDIA L4").unwrap();
        assert_eq!(l4, explain_instance("l4").unwrap());
        assert!(
            l4.contains(" g6.4xlarge ") && l4.contains(" g2-standard-4 ") && !l4.contains("l40s"),
            "{l4}"
        );
        let azure = explain_instance("azure").unwrap();
        assert!(azure.contains("Standard_NC4as_T4_v3") && !azure.contains("g6.4xlarge"), "{azure}");
        let names = |family: &str| -> Vec<String> {
            let found = explain_instance(family).unwrap();
            found.lines().skip(1).map(|line| line.split_whitespace().nth(5).unwrap().to_owned()).collect()
        };
        assert!(names("g6").len() > 3 && names("g6").iter().all(|name| name.starts_with("g6.")));
        assert!(names("a2-highgpu").iter().all(|name| name.starts_with("a2-highgpu-")));
        assert!(names("NC").contains(&"Standard_NC4as_T4_v3".to_owned()));
        assert_eq!(names("Standard_NC4as"), ["Standard_NC4as_T4_v3"]);
        assert!(explain_instance("g").is_err());
        assert!(explain_instance("g6.4xlrge").unwrap_err().contains("did you mean \"g6.4xlarge\"?"));
        let worker = explain_instance("m6i.xlarge").unwrap_err();
        assert!(worker.contains("without GPUs") && !worker.contains("did you mean"), "{worker}");
        assert!(!explain_instance("m6i").unwrap_err().contains("did you mean"));
        assert!(explain_instance("Standard_NC36ds_xl_RTXPRO6000BSE_v6").unwrap().contains("capacity"));
        assert!(!explain_instance("inf2.xlarge").unwrap().contains("GenerateMachineSets"));
    }
}
