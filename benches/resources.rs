//! Deterministic resources for the benchmark: typical namespaces of a cluster that runs OpenStack, with keys in
//! kustomize's order.

use std::fmt::Write;

/// The style of the list on stdin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// As from kustomize: sorted keys, no comments, an id as a literal block.
    Kustomize,
    /// As from kpt: comments, and kpt's annotations.
    Kpt,
}

const CONFIG: &str = r#"apiVersion: fn.rhoso.dev/v1alpha1
kind: InjectGpuAlias
metadata:
  annotations:
    config.kubernetes.io/function: |
      exec:
        path: rhoso-fn
    config.kubernetes.io/local-config: "true"
  name: nvidia-l4
spec:
  aliases:
  - deviceType: type-PF
    name: nvidia
    numaPolicy: preferred
    productId: 27b8
    vendorId: 10de
"#;

/// A ResourceList of `count` resources.
pub fn list(wire: Wire, count: usize) -> String {
    let mut out = String::from("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n");
    for index in 0..count {
        let resource = Resource::new(index);
        let text = resource.text(&annotations(wire, &resource, index));
        let text = if wire == Wire::Kpt { commented(&text) } else { text };
        push_shifted(&mut out, &text, "- ");
    }
    out.push_str("functionConfig:\n");
    push_shifted(&mut out, &config(), "  ");
    out
}

/// The functionConfig. The ids are quoted, because an id of digits would be a number.
pub fn config() -> String {
    CONFIG.replace("27b8", "\"27b8\"").replace("10de", "\"10de\"")
}

/// The same resources as documents of one file, as `kustomize build` reads them.
pub fn documents(count: usize) -> String {
    let documents: Vec<String> = (0..count).map(|index| Resource::new(index).text("")).collect();
    documents.join("---\n")
}

/// Indents lines by two columns, with a prefix in the margin of the first line.
fn push_shifted(out: &mut String, text: &str, margin: &str) {
    for (number, line) in text.lines().enumerate() {
        out.push_str(if number == 0 {
            margin
        } else if line.is_empty() {
            ""
        } else {
            "  "
        });
        out.push_str(line);
        out.push('\n');
    }
}

fn annotations(wire: Wire, resource: &Resource, index: usize) -> String {
    let mut out = String::from("  annotations:\n");
    let mut line = |text: String| out.push_str(&format!("    {text}\n"));
    match wire {
        Wire::Kustomize => {
            line("kustomize.config.k8s.io/id: |".into());
            let (group, version) = resource.api_version.split_once('/').unwrap_or(("", resource.api_version));
            if !group.is_empty() {
                line(format!("  group: {group}"));
            }
            line(format!("  kind: {}", resource.kind));
            line(format!("  name: {}", resource.name));
            line(format!("  namespace: {}", resource.namespace));
            line(format!("  version: {version}"));
            line(format!("config.kubernetes.io/index: '{index}'"));
        }
        Wire::Kpt => {
            let path =
                format!("{}/{}_{}.yaml", resource.namespace, resource.kind.to_lowercase(), resource.name);
            line("config.kubernetes.io/index: '0'".into());
            line(format!("config.kubernetes.io/path: '{path}'"));
            line(format!("internal.config.kubernetes.io/path: '{path}'"));
            line("internal.config.kubernetes.io/seqindent: 'compact'".into());
        }
    }
    let index_in_file = if wire == Wire::Kpt { 0 } else { index };
    line(format!("internal.config.kubernetes.io/index: '{index_in_file}'"));
    line(format!("internal.config.kubernetes.io/annotations-migration-resource-id: '{index}'"));
    line(format!("internal.config.kubernetes.io/id: '{}'", index + 1));
    line(format!("config.k8s.io/id: '{}'", index + 1));
    out
}

/// Adds a head comment, and comments at the ends of some lines.
fn commented(text: &str) -> String {
    let mut out = String::from("# Maintained by the platform team.\n");
    let mut in_literal = false;
    for line in text.lines() {
        let is_key = |key: &str| line.trim_start().starts_with(key);
        in_literal = line.ends_with('|') || (in_literal && line.starts_with("    "));
        out.push_str(line);
        if !in_literal && is_key("replicas: ") {
            out.push_str(" # one for each zone");
        }
        out.push('\n');
    }
    out
}

struct Resource {
    api_version: &'static str,
    kind: &'static str,
    name: String,
    namespace: String,
    index: usize,
}

impl Resource {
    /// Of 25 resources, 10 are Deployments, 5 Services, 5 ConfigMaps, 3 PersistentVolumes, 2 control planes.
    fn new(index: usize) -> Self {
        let (api_version, kind) = match index % 25 {
            0 | 13 => ("core.openstack.org/v1beta1", "OpenStackControlPlane"),
            1 | 9 | 17 => ("v1", "PersistentVolume"),
            2 | 6 | 10 | 14 | 18 => ("v1", "Service"),
            3 | 7 | 11 | 15 | 19 => ("v1", "ConfigMap"),
            _ => ("apps/v1", "Deployment"),
        };
        let name = format!("{}-{index}", kind.to_lowercase());
        Resource { api_version, kind, name, namespace: format!("tenant-{}", index / 25), index }
    }

    /// The resource, with the given text of its annotations.
    fn text(&self, annotations: &str) -> String {
        let Resource { api_version, kind, name, namespace, index } = self;
        // PersistentVolumes are cluster-scoped.
        let namespace =
            if *kind == "PersistentVolume" { String::new() } else { format!("  namespace: {namespace}\n") };
        let body = match *kind {
            "Deployment" => deployment(*index, name),
            "Service" => service(*index, name),
            "ConfigMap" => {
                return format!(
                    "apiVersion: {api_version}\n{}kind: {kind}\nmetadata:\n{annotations}  labels:\n    app.kubernetes.io/part-of: tenant\n  name: {name}\n{namespace}",
                    config_map(*index)
                );
            }
            "PersistentVolume" => volume(*index),
            _ => control_plane(*index),
        };
        format!(
            "apiVersion: {api_version}\nkind: {kind}\nmetadata:\n{annotations}  labels:\n    app.kubernetes.io/instance: {name}\n    app.kubernetes.io/managed-by: gitops\n    app.kubernetes.io/part-of: tenant\n    revision: \"{index}\"\n  name: {name}\n{namespace}{body}"
        )
    }
}

fn deployment(index: usize, name: &str) -> String {
    let mut containers = String::new();
    for container in ["api", "metrics"] {
        _ = write!(
            containers,
            r#"      - args:
        - --config-dir=/etc/{container}/conf.d
        - --listen=0.0.0.0:{port}
        - --log-level=info
        env:
        - name: POD_NAMESPACE
          valueFrom:
            fieldRef:
              fieldPath: metadata.namespace
        - name: WORKERS
          value: "{workers}"
        - name: NO_PROXY
          value: .cluster.local,.svc,10.0.0.0/8
        image: registry.example.com/platform/{container}:v1.{index}.0
        imagePullPolicy: IfNotPresent
        livenessProbe:
          failureThreshold: 3
          httpGet:
            path: /healthz
            port: {port}
          initialDelaySeconds: 10
          periodSeconds: 20
        name: {container}
        ports:
        - containerPort: {port}
          name: http-{container}
          protocol: TCP
        resources:
          limits:
            cpu: "2"
            memory: 2Gi
          requests:
            cpu: 250m
            memory: 512Mi
        securityContext:
          allowPrivilegeEscalation: false
          capabilities:
            drop:
            - ALL
        volumeMounts:
        - mountPath: /etc/{container}
          name: config
          readOnly: true
"#,
            port = 8000 + index % 1000,
            workers = index % 16
        );
    }
    format!(
        r#"spec:
  replicas: {replicas}
  selector:
    matchLabels:
      app: {name}
  strategy:
    rollingUpdate:
      maxSurge: 25%
      maxUnavailable: 0
    type: RollingUpdate
  template:
    metadata:
      labels:
        app: {name}
    spec:
      affinity: {{}}
      containers:
{containers}      nodeSelector:
        node-role.kubernetes.io/worker: ""
      serviceAccountName: {name}
      terminationGracePeriodSeconds: 30
      volumes:
      - configMap:
          defaultMode: 420
          name: {name}
        name: config
"#,
        replicas = index % 5
    )
}

fn service(index: usize, name: &str) -> String {
    format!(
        r#"spec:
  externalTrafficPolicy: Local
  internalTrafficPolicy: Cluster
  ipFamilies:
  - IPv4
  ipFamilyPolicy: SingleStack
  loadBalancerSourceRanges:
  - 10.{third}.0.0/16
  - 192.168.122.0/24
  ports:
  - name: https
    port: 443
    protocol: TCP
    targetPort: {port}
  - name: metrics
    port: 9090
    protocol: TCP
    targetPort: metrics
  selector:
    app: {name}
    app.kubernetes.io/part-of: tenant
  sessionAffinity: None
  type: LoadBalancer
"#,
        third = index % 250,
        port = 8000 + index % 1000
    )
}

fn config_map(index: usize) -> String {
    let mut out =
        String::from("data:\n  server.conf: |\n    # Generated; see the wiki before you change it.\n");
    for option in 0..24 {
        _ = writeln!(out, "    option_{option} = /var/lib/service/{index}/{option}: \"quoted\" # kept");
        if option % 8 == 7 {
            _ = writeln!(out, "\n    [section_{option}]");
        }
    }
    out.push_str("  start.sh: |-\n    #!/bin/sh\n    set -eu\n    for file in /etc/conf.d/*.conf; do\n    \tcat \"$file\"\n    done\n    exec server --config /etc/server.conf\n");
    _ = writeln!(
        out,
        "  threshold: \"{}\"\n  url: https://service-{index}.example.com:8443/path",
        index % 100
    );
    out
}

fn volume(index: usize) -> String {
    format!(
        r#"spec:
  accessModes:
  - ReadWriteOnce
  capacity:
    storage: {size}Gi
  local:
    path: /mnt/openstack/pv{index}
    type: DirectoryOrCreate
  nodeAffinity:
    required:
      nodeSelectorTerms:
      - matchExpressions:
        - key: kubernetes.io/hostname
          operator: In
          values:
          - worker-{node}
  persistentVolumeReclaimPolicy: Delete
  storageClassName: local-storage
  volumeMode: Filesystem
"#,
        size = 10 * (1 + index % 20),
        node = index % 40
    )
}

/// A control plane of about 450 lines, as many as upstream's largest sample.
fn control_plane(index: usize) -> String {
    const SERVICES: [&str; 16] = [
        "barbican",
        "cinder",
        "designate",
        "dns",
        "glance",
        "heat",
        "horizon",
        "ironic",
        "keystone",
        "manila",
        "neutron",
        "nova",
        "octavia",
        "placement",
        "swift",
        "telemetry",
    ];
    let mut out = String::from("spec:\n");
    for (number, service) in SERVICES.iter().enumerate() {
        _ = write!(
            out,
            r#"  {service}:
    apiOverride:
      route: {{}}
    enabled: true
    template:
      apiServiceTemplate:
        customServiceConfig: |
          [DEFAULT]
          # Until the GPU flavors are tested.
          debug = true
          transport_url = rabbit://{service}:5671/

          [api]
          max_limit = {limit}
        networkAttachments:
        - internalapi
        - storage
        override:
          service:
            internal:
              metadata:
                annotations:
                  metallb.universe.tf/address-pool: internalapi
                  metallb.universe.tf/allow-shared-ip: internalapi
                  metallb.universe.tf/loadBalancerIPs: 172.17.{third}.{fourth}
              spec:
                type: LoadBalancer
        replicas: 3
      databaseInstance: openstack
      secret: osp-secret
"#,
            limit = 500 + number,
            third = index % 250,
            fourth = 80 + number
        );
    }
    out.push_str("  secret: osp-secret\n  storageClass: local-storage\n");
    out
}
