//! The rules of the protocol: about texts, lists and functionConfigs, whatever the function.

crate::rules! {
    /// The rules of the protocol.
    PROTOCOL:

    /// An object exists twice.
    ///
    /// Two documents have the same kind, namespace and name. A cluster would keep one of them, and a function would
    /// change or count both. Remove one of them. Files that a kustomization lists as patches are no objects of their
    /// own, and files that a `.krmignore` lists are not read.
    DUPLICATE_OBJECT = "duplicate-object", Error;

    /// A field cannot be changed safely.
    ///
    /// The text around the field is written in a way that an edit would disturb: the value is anchored and used
    /// again elsewhere, or comes from a merge key. Write the value out where it is used.
    EDIT = "edit", Error;

    /// The functionConfig is missing, or is none of this program's.
    ///
    /// Check its `apiVersion` and `kind`. A ConfigMap, as `kpt fn eval -- kind=…` sends it, names the function in
    /// `data.kind`.
    FUNCTION_CONFIG = "function-config", Error;

    /// A link leads out of the directories that you gave.
    ///
    /// It is not followed, because a repository must not read the files of another. Name the link, or what it leads
    /// to, on the command line if you want it to be read.
    LINK = "link", Warning;

    /// Two functionConfigs generate the same object with different contents.
    ///
    /// Each would undo what the other did. Change the name that one of them generates, or remove one.
    MADE_TWICE = "made-twice", Error;

    /// A required key is missing.
    ///
    /// A functionConfig lacks a field, or a Secret lacks a key that a service reads. The message names the key. Where
    /// the service can do without the key, this is a warning.
    MISSING_KEY = "missing-key", Error;

    /// The files have no functionConfig, so there is nothing to do.
    ///
    /// `render` runs the documents of the program's API group. Give the directory that holds them, too.
    NO_FUNCTION = "no-function", Warning;

    /// A selector or a name matches nothing.
    ///
    /// A function that silently did nothing would look like one that worked. Check the name, and whether the
    /// resource is among those that the function is given: kustomize gives a function under `generators:` no
    /// resources at all.
    NO_MATCH = "no-match", Error;

    /// A document is not a Kubernetes object.
    ///
    /// It has no `kind`, so it is left out.
    NOT_KRM = "not-krm", Warning;

    /// Stdin is not a ResourceList, or a broken one.
    ///
    /// kustomize and kpt send a ResourceList. For plain files, use `render`.
    RESOURCE_LIST = "resource-list", Error;

    /// A functionConfig has a key that the function does not know.
    ///
    /// A misspelt key would be ignored, and you would not notice. `explain` lists the keys of a function.
    UNKNOWN_KEY = "unknown-key", Error;

    /// There is no function of this kind.
    UNKNOWN_KIND = "unknown-kind", Error;

    /// A List of objects is not looked into.
    ///
    /// `oc get -o yaml` writes several objects as one List. kustomize takes it apart; kpt and `render` do not. Write
    /// each object as a document of its own, after a line `---`.
    UNREAD_LIST = "unread-list", Warning;

    /// A file that a functionConfig names cannot be used.
    ///
    /// It must be a regular file in the working directory or below it, of at most 1 MB, in UTF-8. In kustomize the
    /// working directory is that of the kustomization; in a container there is none.
    UNUSABLE_FILE = "unusable-file", Error;

    /// A field has a value of the wrong type.
    WRONG_TYPE = "wrong-type", Error;

    /// A field of a functionConfig has a value that the function cannot use.
    WRONG_VALUE = "wrong-value", Error;

    /// A text is not YAML, or not in a form that kustomize and kubectl read as well.
    ///
    /// The README lists the few forms that go-yaml reads and this program does not.
    YAML = "yaml", Error;
}
