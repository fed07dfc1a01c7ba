/** A simulated node. */
export interface NodeSpec {
  readonly name: string;
  /** In addition to the labels that every node has. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly capacity?: Readonly<Record<string, string>>;
  /** The range of its pods' addresses. */
  readonly podCidr: string;
  readonly address: string;
}

/** The default capacity of a simulated node. */
export const defaultCapacity: Readonly<Record<string, string>> = {
  cpu: '32',
  memory: '256Gi',
  pods: '110',
  'ephemeral-storage': '1Ti',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
};
