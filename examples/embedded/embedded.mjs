/** Declared settings in an application of your own: stored on disk, watched, and open to kubectl where you like. */

import { startCluster } from 'coxswain';

export async function startApplication(directory) {
  const cluster = await startCluster({
    nodes: 0,
    controllers: [],
    scheduler: false,
    storageDirectory: directory,
  });
  const settings = cluster.client().resource('v1', 'configmaps').namespace('default');
  return {
    set: (name, data) =>
      settings.apply(
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
        { fieldManager: 'application' },
      ),
    get: async (name) => (await settings.get(name)).data,
    stop: () => cluster.stop(),
  };
}
