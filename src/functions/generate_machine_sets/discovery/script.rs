//! The script of the Job: reads the MachineSets, runs the function on them, and applies what changed.

use crate::platform::machine::NAMESPACE;

/// Applies what the function generated or changed. MachineSets that it did not change are not applied again.
pub fn script() -> String {
    format!(
        "set -eu\n\
         mkdir given\n\
         oc get machinesets.machine.openshift.io -n {NAMESPACE} -o name > names\n\
         if [ ! -s names ]; then echo 'there is no MachineSet in {NAMESPACE}' >&2; exit 1; fi\n\
         while read -r name; do\n\
         \x20 oc get \"$name\" -n {NAMESPACE} -o yaml > \"given/${{name##*/}}.yaml\" < /dev/null\n\
         done < names\n\
         \"$RHOSO_FN\" render \"$CONFIG\" given -o made\n\
         for file in given/*; do\n\
         \x20 made=\"made/$file\"\n\
         \x20 if [ \"$(cat \"$file\")\" = \"$(cat \"$made\")\" ]; then rm \"$made\"; fi\n\
         done\n\
         for file in made/* made/*/* made/*/*/*; do\n\
         \x20 if [ -f \"$file\" ]; then oc apply -R -f made; break; fi\n\
         done\n"
    )
}
