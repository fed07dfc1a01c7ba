/** Addresses and names that every all-in-one has, chosen as by kubeadm and most other installers. */

export const serviceClusterIpRange = '10.96.0.0/12';

/** The first address of the range, for the Service `kubernetes`. */
export const kubernetesServiceAddress = '10.96.0.1';

/** The tenth address, for the Service `kube-dns`. */
export const clusterDnsAddress = '10.96.0.10';

export const clusterDomain = 'cluster.local';
