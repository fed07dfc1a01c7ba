export const deploymentKind = { apiVersion: 'apps/v1', kind: 'Deployment' } as const;
