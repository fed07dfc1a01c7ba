/** Manifests that several tests use. */

/** A deployment called `web`. */
export const web = (replicas = 2): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx }] }
`;

export const configMap = (name: string, data: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

export const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
export const pods = { group: '', version: 'v1', resource: 'pods' };
