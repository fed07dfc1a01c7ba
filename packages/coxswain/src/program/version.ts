/** What this program says of itself. */

export const coxswainVersion = '0.1.0';

/** The Kubernetes whose API and behaviour this is. */
export const kubernetesVersion = 'v1.36.3';
