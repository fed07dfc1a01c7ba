/** The version information of this program. */

export const coxswainVersion = '0.1.0';

/** The version of Kubernetes whose API and behaviour this program provides. */
export const kubernetesVersion = 'v1.36.3';
