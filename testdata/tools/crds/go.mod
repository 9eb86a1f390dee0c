module rhoso-fn/testdata/tools/crds

go 1.25.6

require (
	github.com/argoproj-labs/argocd-operator v0.17.0
	github.com/argoproj/argo-cd/v3 v3.2.12
	github.com/external-secrets/external-secrets v1.3.2
	github.com/k8snetworkplumbingwg/network-attachment-definition-client v1.7.7
	github.com/kserve/kserve v0.17.0
	github.com/metallb/metallb-operator v0.14.2
	github.com/nmstate/kubernetes-nmstate v0.86.0
	github.com/openshift/api v3.9.0+incompatible
	github.com/openshift/cluster-autoscaler-operator v0.0.1-0.20241204142113-43631b045675
	github.com/openstack-k8s-operators/infra-operator/apis v0.6.1-0.20260626110212-c33a1507c26f
	github.com/openstack-k8s-operators/nova-operator v0.1.1
	github.com/openstack-k8s-operators/nova-operator/api v0.6.1-0.20260621105415-b50a660a36c5
	github.com/openstack-k8s-operators/openstack-operator/apis v0.6.0
	github.com/operator-framework/api v0.34.0
	go.universe.tf/metallb v0.15.3
)

replace (
	// An old tag, which other modules ask for, counts as newer.
	github.com/openshift/api => github.com/openshift/api v0.0.0-20260511191110-9b69e5fa27e9
	// The module keeps the name of its old home, which the proxy does not serve.
	go.universe.tf/metallb => github.com/metallb/metallb v0.15.3
)
