/** The version of etcd whose API is served; clients enable features based on it. */
export const versions = { etcdserver: '3.6.8', etcdcluster: '3.6.0', storage: '3.6.0' } as const;
