/** Addresses and names that every all-in-one has, as kubeadm and most other installers choose them. */

export const serviceClusterIpRange = '10.96.0.0/12';

/** The first of the range: the service `kubernetes`. */
export const kubernetesServiceAddress = '10.96.0.1';

/** The tenth: the service `kube-dns`. */
export const clusterDnsAddress = '10.96.0.10';

export const clusterDomain = 'cluster.local';
