//! `explain gpu`: prints the GPU catalogue.

use std::fmt::Write;

use crate::krm::quoted;
use crate::platform::gpu::{self, Gpu};

/// Describes the GPU with this name or these PCI ids. If `name` is empty, lists the catalogue, one GPU per
/// line.
pub fn explain_gpu(name: &str) -> Result<String, String> {
    if name.is_empty() {
        return Ok(table(gpu::catalogue().iter()));
    }
    let by_ids = name.split_once(':').and_then(|(vendor, product)| {
        gpu::by_ids(&vendor.to_ascii_lowercase(), &product.to_ascii_lowercase())
    });
    let named = by_ids.map_or_else(|| gpu::by_name(name), |gpu| vec![gpu]);
    match named.as_slice() {
        [] if name.len() > gpu::LONGEST_NAME => Err(format!(
            "a name of {} characters matches no GPU; `rhoso-fn explain gpu` prints the catalogue",
            name.chars().count()
        )),
        [] => {
            let hint = gpu::closest(name).map(|close| format!("did you mean {}? ", quoted(close)));
            Err(format!(
                "the catalogue has no GPU {}; {}`rhoso-fn explain gpu` prints the catalogue; for other GPUs, set \
                 `vendorId`, `productId` and `deviceType` in InjectGpuAlias",
                quoted(name),
                hint.unwrap_or_default()
            ))
        }
        [gpu] => Ok(page(gpu)),
        several => Ok(table(several.iter().copied())),
    }
}

fn table<'g>(gpus: impl Iterator<Item = &'g Gpu>) -> String {
    let mut out =
        format!("{:<11} {:<9} {:<11} {:>6} {:<8} {}\n", "IDS", "TYPE", "FAMILY", "MEMORY", "VENDOR", "NAME");
    for gpu in gpus {
        let _ = writeln!(
            out,
            "{:<11} {:<9} {:<11} {:>6} {:<8} {}",
            format!("{}:{}", gpu.vendor, gpu.product),
            device_type(gpu),
            gpu.family,
            memory(gpu),
            vendor(gpu),
            gpu.name
        );
    }
    out
}

fn page(gpu: &Gpu) -> String {
    let type_line = match (gpu.device_type(), gpu.function_of) {
        (Some(_), Some(card)) => format!("type-VF, a virtual function of {}:{card}", gpu.vendor),
        (Some(device_type), None) if gpu.sr_iov == Some(true) => {
            format!(
                "{device_type}, because the card shows SR-IOV (type-PCI if SR-IOV is hidden, as in virtual machines)"
            )
        }
        (Some(device_type), None) => format!("{device_type}, because the card has no SR-IOV"),
        (None, _) => "unknown: type-PF if `lspci -v` on the host shows SR-IOV, otherwise type-PCI".to_owned(),
    };
    let functions: Vec<String> =
        gpu.functions().map(|part| format!("{}:{}", part.vendor, part.product)).collect();
    let mut out = format!(
        "{} {}\n\nvendor id:    {}\nproduct id:   {}\nfamily:       {}\nmemory:       {}\ndevice type:  {type_line}\n",
        vendor(gpu),
        gpu.name,
        gpu.vendor,
        gpu.product,
        gpu.family,
        gpu.memory_gb.map_or("varies or unknown".to_owned(), |gb| format!("{gb} GB")),
    );
    if !functions.is_empty() {
        let _ = writeln!(out, "functions:    {}", functions.join(", "));
    }
    let alias_name = gpu.models().next().unwrap_or_default().to_lowercase().replace(' ', "-");
    let _ =
        write!(out, "\nIn InjectGpuAlias:\n\n  aliases:\n  - name: {}\n    gpu: {}\n", alias_name, gpu.name);
    if gpu::by_name(gpu.name).len() > 1 {
        let _ = writeln!(out, "    productId: \"{}\" # other GPUs have the same name", gpu.product);
    }
    if gpu.device_type().is_none() {
        out.push_str("    deviceType: type-PCI # or type-PF\n");
    }
    out
}

fn vendor(gpu: &Gpu) -> &'static str {
    gpu::vendor_name(gpu.vendor).unwrap_or_default()
}

fn device_type(gpu: &Gpu) -> String {
    gpu.device_type().map_or("-".to_owned(), |device_type| device_type.to_string())
}

fn memory(gpu: &Gpu) -> String {
    gpu.memory_gb.map_or("-".to_owned(), |gb| format!("{gb} GB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_snippet_of_each_page_identifies_one_gpu() {
        for gpu in gpu::catalogue() {
            let page = explain_gpu(&format!("{}:{}", gpu.vendor, gpu.product.to_uppercase())).unwrap();
            let chooses = page.contains(&format!("productId: \"{}\"", gpu.product));
            assert_eq!(chooses, gpu::by_name(gpu.name).len() > 1, "{page}");
            assert!(page.contains(&format!("gpu: {}\n", gpu.name)), "{page}");
        }
    }

    #[test]
    fn unknown_gpus_get_a_short_answer() {
        let message = explain_gpu("RTX 4090").unwrap_err();
        assert!(message.contains("catalogue has no GPU \"RTX 4090\"; `rhoso-fn"), "{message}");
        for piece in ["L4 ", "gpu", "a-", "x:", "ü"] {
            let message = explain_gpu(&piece.repeat(4_000_000 / piece.len())).unwrap_err();
            assert!(message.len() < 1000, "{piece}: {}", message.len());
        }
    }
}
