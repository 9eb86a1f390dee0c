//! One option, as a line of the table.

/// An option of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OsloOption {
    /// Name, type, releases, choices and former names, separated by tabs. Columns at the end may be missing.
    line: &'static str,
}

/// The type of an option's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Dict,
    Float,
    Int,
    Ip,
    List,
    /// One value of any kind for each time that the option is written.
    Multi,
    Port,
    /// Any text.
    Text,
}

impl OsloOption {
    pub(super) fn new(line: &'static str) -> Self {
        OsloOption { line }
    }

    pub(super) fn has_name(self, name: &str) -> bool {
        self.line.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('\t'))
    }

    /// Whether a name occurs anywhere in the line, which costs less than to read its columns.
    pub(super) fn mentions(self, name: &str) -> bool {
        self.line.contains(name)
    }

    fn column(self, index: usize) -> &'static str {
        self.line.split('\t').nth(index).unwrap_or_default()
    }

    pub fn name(self) -> &'static str {
        self.column(0)
    }

    /// Types of which oslo.config accepts almost any value count as text.
    pub fn kind(self) -> Kind {
        match self.column(1) {
            "bool" => Kind::Bool,
            "dict" => Kind::Dict,
            "float" => Kind::Float,
            "int" => Kind::Int,
            "ip" => Kind::Ip,
            "list" => Kind::List,
            "multi" => Kind::Multi,
            "port" => Kind::Port,
            _ => Kind::Text,
        }
    }

    /// Whether the release of RHOSO 18, Antelope, does not have the option, but a later one does.
    pub fn is_newer(self) -> bool {
        let releases = self.column(2);
        !releases.is_empty() && !releases.contains('A')
    }

    /// The values that are allowed, or those of the elements of a list. Empty if there is no such restriction.
    pub fn choices(self) -> impl Iterator<Item = &'static str> {
        let choices = self.column(3).split(',').filter(|choice| !choice.is_empty());
        choices.map(|choice| if choice == "<empty>" { "" } else { choice })
    }

    /// Whether the service converts the value to lower or upper case before it compares it with the choices.
    pub fn ignores_case(self) -> bool {
        IGNORING_CASE.contains(&self.name())
    }

    /// The names that the service still reads, with their section if it is another one.
    pub fn former_names(self) -> impl Iterator<Item = (Option<&'static str>, &'static str)> {
        let names = self.column(4).split(',').filter(|name| !name.is_empty());
        names.map(|name| name.rsplit_once('/').map_or((None, name), |(section, name)| (Some(section), name)))
    }
}

/// The options whose choices are compared without case.
const IGNORING_CASE: [&str; 11] = [
    "backup_compression_algorithm",
    "cephfs_protocol_helper_type",
    "emc_share_backend",
    "enabled_share_protocols",
    "image_cache_driver",
    "infinidat_storage_protocol",
    "log_rotate_interval_type",
    "log_rotation_type",
    "memcache_security_strategy",
    "remote_image_share_type",
    "storage_protocol",
];
