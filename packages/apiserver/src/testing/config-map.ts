/** What tests of the server store: a ConfigMap, and where it lives. */
export const configMaps = '/api/v1/namespaces/default/configmaps';

export const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
