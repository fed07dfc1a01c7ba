/** A simulated node. */
export interface NodeSpec {
  readonly name: string;
  /** Added to those that every node has. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly capacity?: Readonly<Record<string, string>>;
  /** From where its pods get addresses. */
  readonly podCidr: string;
  readonly address: string;
}

/** What a simulated node can hold unless told otherwise. */
export const defaultCapacity: Readonly<Record<string, string>> = {
  cpu: '32',
  memory: '256Gi',
  pods: '110',
  'ephemeral-storage': '1Ti',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
};
