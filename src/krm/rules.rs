//! The rules of the protocol: about YAML, lists and functionConfigs of any function.

crate::rules! {
    /// The rules of the protocol.
    PROTOCOL in "protocol":

    /// A field cannot be changed safely.
    ///
    /// A change would affect other fields, because the value has an anchor that is used elsewhere, or comes
    /// from a merge key. Write the value out where it is used.
    EDIT = "edit", Error;

    /// The functionConfig is missing, or does not belong to this program.
    ///
    /// Check its `apiVersion` and `kind`. In a ConfigMap, which `kpt fn eval -- kind=…` sends, `data.kind`
    /// selects the function.
    FUNCTION_CONFIG = "function-config", Error;

    /// A function of the package has not run on the given resources.
    ///
    /// kustomize skips a function without an error if `--enable-exec` is missing, and the result reaches the cluster
    /// without the changes of the function. `check --ran PACKAGE` runs each function of a package again: a second run
    /// changes nothing, so whatever a function would still change shows that it did not run. A generator has run if the
    /// objects that it generates exist. A validator changes nothing, so its findings are reported instead.
    ///
    /// Build with `--enable-alpha-plugins --enable-exec`, and list the function under `transformers` or `generators`. If
    /// another kustomization changes the result of a function afterwards, for example with a `namePrefix`, pass the files
    /// of the other functions instead of the package. This is a warning if a kustomization patches the functionConfig,
    /// which is then not run: pass the output of `kustomize build` for the directory of that kustomization instead.
    FUNCTION_NOT_RUN = "function-not-run", Error;

    /// A symbolic link points outside the given directories.
    ///
    /// The link is not followed, because a repository must not be able to read files outside itself. To read
    /// the file, pass the link or its target on the command line.
    LINK = "link", Warning;

    /// Two functionConfigs generate the same object with different contents.
    ///
    /// Each of them would undo the changes of the other. Change the name that one of them generates, or
    /// remove one of them.
    MADE_TWICE = "made-twice", Error;

    /// A required key is missing.
    ///
    /// A functionConfig lacks a field, or a Secret lacks a key that a service reads. Add the key that the
    /// message names. This is a warning if the service works without the key, and in `check` if the Secret has no keys at all.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: core.openstack.org/v1beta1
    /// kind: OpenStackControlPlane
    /// metadata: {name: openstack, namespace: openstack}
    /// spec:
    ///   secret: osp-secret
    ///   glance: {}
    /// ---
    /// apiVersion: v1
    /// kind: Secret
    /// metadata: {name: osp-secret, namespace: openstack}
    /// stringData: {AdminPassword: a-value-of-keystone}
    /// ```
    MISSING_KEY = "missing-key", Error;

    /// The files contain no functionConfig, so no function runs.
    ///
    /// `render` runs the documents in the program's API group. Also pass the file or directory that contains
    /// them.
    NO_FUNCTION = "no-function", Warning;

    /// A selector or a name matches nothing.
    ///
    /// The function would do nothing, and you might not notice. Check the name, and check that the function
    /// receives the resource: kustomize passes no resources to functions under `generators:`.
    NO_MATCH = "no-match", Error;

    /// A file or a document is not a Kubernetes object.
    ///
    /// It is skipped, because it has no `kind`, is a template, or is a symbolic link without a target. Add the missing
    /// fields, or exclude the file with a `.krmignore`.
    NOT_KRM = "not-krm", Warning;

    /// Stdin is not a valid ResourceList.
    ///
    /// kustomize and kpt send a ResourceList. To process plain files, use `render`.
    RESOURCE_LIST = "resource-list", Error;

    /// A functionConfig has a key that the function does not know.
    ///
    /// A misspelt key would have no effect, and you might not notice. Correct or remove the key. `explain`
    /// lists the keys of a function.
    UNKNOWN_KEY = "unknown-key", Error;

    /// No function has this kind.
    ///
    /// The `kind` of a functionConfig selects the function. Correct the spelling. `list` prints all kinds.
    UNKNOWN_KIND = "unknown-kind", Error;

    /// The objects inside a List are not read.
    ///
    /// `oc get -o yaml` prints several objects as one List. kustomize splits it into its objects, and `check` reads
    /// them, but kpt and `render` do not. `check` reports a List only if an entry is not a complete object, or uses an
    /// anchor of another entry. Write each object as a separate document, after a line `---`.
    UNREAD_LIST = "unread-list", Warning;

    /// A file that a functionConfig names cannot be used.
    ///
    /// It must be a regular UTF-8 file of at most 1 MB, in the working directory or below it. In kustomize,
    /// the working directory is the directory of the kustomization. In a container, the function has no
    /// access to the file.
    UNUSABLE_FILE = "unusable-file", Error;

    /// A field has a value of the wrong type.
    ///
    /// The message shows the required type. Correct the value. A string that looks like a number or a boolean
    /// needs quotes.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: metallb.io/v1beta1
    /// kind: IPAddressPool
    /// metadata: {name: ctlplane, namespace: metallb-system}
    /// spec:
    ///   addresses:
    ///   - 192 # not a string
    /// ```
    WRONG_TYPE = "wrong-type", Error;

    /// A field of a functionConfig has a value that the function cannot use.
    ///
    /// The message shows what the function accepts, and `explain` describes the field. Correct the value.
    WRONG_VALUE = "wrong-value", Error;

    /// The input is not valid YAML, or not in a form that kustomize and kubectl read the same way.
    ///
    /// The message shows the line and the problem. The README lists the few forms that go-yaml accepts and
    /// this program rejects.
    YAML = "yaml", Error;
}

crate::rules! {
    /// The rules about what occurs twice.
    DUPLICATES in "objects":

    /// A mapping contains the same key twice.
    ///
    /// Tools do not agree on which of the two counts: kustomize and kubectl reject the file, and others use the last
    /// one without a warning. Usually one of them is left over from an edit. Remove one of them. `check` reads the first
    /// one when it looks for other defects; functions do not run on such files.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: example
    /// data:
    ///   mtu: "1500"
    ///   mtu: "9000"
    /// ```
    DUPLICATE_KEY = "duplicate-key", Error;

    /// Two documents define the same object.
    ///
    /// They have the same kind, namespace and name. The cluster would keep only one of them, and a function
    /// would change or count both. Remove one of them. Files that a kustomization lists as patches do not
    /// count as objects, and files that a `.krmignore` excludes are not read.
    ///
    /// Two files of one directory may be alternatives. Unless they are in a kpt package or listed by one
    /// kustomization, `check` warns of objects that both define, and otherwise checks each file without the other. To
    /// check such files together, pass their paths. In directories of samples, examples, tests, documentation,
    /// vendored and archived files, and among files that a kustomization does not list, the warning is an info, which
    /// `--verbose` shows.
    ///
    /// Example:
    ///
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: example
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata:
    ///   name: example
    /// ```
    DUPLICATE_OBJECT = "duplicate-object", Error;
}
