package main

import (
	barbican "github.com/openstack-k8s-operators/barbican-operator/api/v1beta1"
	cinder "github.com/openstack-k8s-operators/cinder-operator/api/v1beta1"
	designate "github.com/openstack-k8s-operators/designate-operator/api/v1beta1"
	glance "github.com/openstack-k8s-operators/glance-operator/api/v1beta1"
	heat "github.com/openstack-k8s-operators/heat-operator/api/v1beta1"
	horizon "github.com/openstack-k8s-operators/horizon-operator/api/v1beta1"
	memcached "github.com/openstack-k8s-operators/infra-operator/apis/memcached/v1beta1"
	network "github.com/openstack-k8s-operators/infra-operator/apis/network/v1beta1"
	rabbitmq "github.com/openstack-k8s-operators/infra-operator/apis/rabbitmq/v1beta1"
	redis "github.com/openstack-k8s-operators/infra-operator/apis/redis/v1beta1"
	ironic "github.com/openstack-k8s-operators/ironic-operator/api/v1beta1"
	keystone "github.com/openstack-k8s-operators/keystone-operator/api/v1beta1"
	manila "github.com/openstack-k8s-operators/manila-operator/api/v1beta1"
	mariadb "github.com/openstack-k8s-operators/mariadb-operator/api/v1beta1"
	neutron "github.com/openstack-k8s-operators/neutron-operator/api/v1beta1"
	nova "github.com/openstack-k8s-operators/nova-operator/api/v1beta1"
	octavia "github.com/openstack-k8s-operators/octavia-operator/api/v1beta1"
	baremetal "github.com/openstack-k8s-operators/openstack-baremetal-operator/api/v1beta1"
	openstackclient "github.com/openstack-k8s-operators/openstack-operator/apis/client/v1beta1"
	core "github.com/openstack-k8s-operators/openstack-operator/apis/core/v1beta1"
	dataplane "github.com/openstack-k8s-operators/openstack-operator/apis/dataplane/v1beta1"
	ovn "github.com/openstack-k8s-operators/ovn-operator/api/v1beta1"
	placement "github.com/openstack-k8s-operators/placement-operator/api/v1beta1"
	swift "github.com/openstack-k8s-operators/swift-operator/api/v1beta1"
	telemetry "github.com/openstack-k8s-operators/telemetry-operator/api/v1beta1"
)

// setupDefaults sets what the webhooks fill in, as the operator does when it starts.
func setupDefaults() {
	for _, setup := range []func(){
		barbican.SetupDefaults,
		baremetal.SetupDefaults,
		cinder.SetupDefaults,
		core.SetupVersionDefaults,
		dataplane.SetupDefaults,
		designate.SetupDefaults,
		glance.SetupDefaults,
		heat.SetupDefaults,
		horizon.SetupDefaults,
		ironic.SetupDefaults,
		keystone.SetupDefaults,
		manila.SetupDefaults,
		mariadb.SetupDefaults,
		memcached.SetupDefaults,
		network.SetupDefaults,
		neutron.SetupDefaults,
		nova.SetupDefaults,
		octavia.SetupDefaults,
		openstackclient.SetupDefaults,
		ovn.SetupDefaults,
		placement.SetupDefaults,
		rabbitmq.SetupDefaults,
		redis.SetupDefaults,
		swift.SetupDefaults,
		telemetry.SetupDefaultsAutoscaling,
		telemetry.SetupDefaultsCeilometer,
		telemetry.SetupDefaultsTelemetry,
	} {
		setup()
	}
}
