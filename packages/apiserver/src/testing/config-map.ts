/** The object of the server's tests: a ConfigMap, and its paths. */
export const configMaps = '/api/v1/namespaces/default/configmaps';

export const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
