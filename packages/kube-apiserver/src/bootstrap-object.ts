/** An object that every new cluster has, as it is sent to its resource. */
export interface BootstrapObject {
  /** `rbac.authorization.k8s.io`, or empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly object: BootstrapBody;
  /** The field manager under which upstream writes it. */
  readonly manager: string;
}

export interface BootstrapBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** The server's own field manager. */
export const serverManager = 'kube-apiserver';
