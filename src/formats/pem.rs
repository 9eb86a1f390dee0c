//! Private keys in PEM, as OpenSSH and OpenSSL write them, also in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "PRIVATE KEY-----";

/// `-----BEGIN` in base64.
const BEGIN_IN_BASE64: &str = "LS0tLS1CRUdJTi";

/// The length of the first line of a key, at least. A shorter one is an example.
const SHORTEST_LINE: usize = 16;

/// Whether a text may contain a private key. It may be a whole document, which need not be searched otherwise.
pub fn may_occur_in(text: &str) -> bool {
    text.contains(END) || text.contains(BEGIN_IN_BASE64)
}

/// Whether a string contains a private key that is not encrypted.
pub fn has_private_key(text: &str) -> bool {
    let is_base64 = text.trim_start().starts_with(BEGIN_IN_BASE64);
    is_plain_key(text) || is_base64 && decoded(text).is_some_and(|text| is_plain_key(&text))
}

fn decoded(text: &str) -> Option<String> {
    let base64: String = text.split_ascii_whitespace().collect();
    String::from_utf8(STANDARD.decode(base64).ok()?).ok()
}

fn is_plain_key(text: &str) -> bool {
    text.match_indices(BEGIN).any(|(at, _)| {
        let rest = &text[at + BEGIN.len()..];
        let Some((label, key)) = rest.split_once("-----") else { return false };
        let key = key.trim_start().as_bytes();
        let is_base64 = |b: &u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
        let length = key.iter().take_while(|b| is_base64(b)).count();
        // An old format names the cipher of an encrypted key in a line `Proc-Type: 4,ENCRYPTED`, which is not base64.
        label.ends_with("PRIVATE KEY") && !label.contains("ENCRYPTED") && length >= SHORTEST_LINE
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found() {
        let line = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU";
        for kind in ["", "RSA ", "EC ", "OPENSSH "] {
            let key = format!("{BEGIN}{kind}{END}\n{line}\n-----END {kind}{END}\n");
            assert!(may_occur_in(&key) && has_private_key(&key), "{kind}");
            assert!(has_private_key(&format!("text before\n  {}", key.replace('\n', "\n  "))));
            let base64 = STANDARD.encode(&key);
            assert!(may_occur_in(&base64) && has_private_key(&base64), "{kind}");
        }
    }

    #[test]
    fn other_texts_are_not_keys() {
        let line = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU";
        for text in [
            format!("{BEGIN}CERTIFICATE-----\n{line}\n"),
            format!("{BEGIN}ENCRYPTED {END}\n{line}\n"),
            format!("{BEGIN}RSA {END}\nProc-Type: 4,ENCRYPTED\n"),
            format!("{BEGIN}{END}\n{{{{ the_key }}}}\n"),
            format!("{BEGIN}{END}\n...\n"),
            format!("{BEGIN}{END}"),
        ] {
            assert!(!has_private_key(&text) && !has_private_key(&STANDARD.encode(&text)), "{text}");
        }
    }
}
