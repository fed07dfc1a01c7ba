/** CertificateSigningRequests as the controllers see them. */
import type { KubeObject } from '@coxswain/apimachinery';

export interface RequestCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string;
}

export interface CertificateRequest extends KubeObject {
  readonly spec: {
    /** PEM in base64. */
    readonly request: string;
    readonly signerName: string;
    readonly usages?: readonly string[];
    readonly expirationSeconds?: number;
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly status?: {
    readonly conditions?: readonly RequestCondition[];
    /** PEM in base64. */
    readonly certificate?: string;
  };
}

export const certificateRequests = {
  group: 'certificates.k8s.io',
  version: 'v1',
  resource: 'certificatesigningrequests',
};

export const signerNames = {
  kubeletServing: 'kubernetes.io/kubelet-serving',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  apiServerClient: 'kubernetes.io/kube-apiserver-client',
  legacyUnknown: 'kubernetes.io/legacy-unknown',
} as const;

export const conditionsOf = ({ status }: CertificateRequest): readonly RequestCondition[] =>
  status?.conditions ?? [];

export const hasCondition = (request: CertificateRequest, type: string): boolean =>
  conditionsOf(request).some((condition) => condition.type === type);

export const isIssued = ({ status }: CertificateRequest): boolean => (status?.certificate ?? '') !== '';

export const withCondition = (
  request: CertificateRequest,
  condition: RequestCondition,
): CertificateRequest => ({
  ...request,
  status: { ...request.status, conditions: [...conditionsOf(request), condition] },
});
