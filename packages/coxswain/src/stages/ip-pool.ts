/** Addresses that stages request for nodes and pods. */

type NodeAddresses = readonly { readonly type: string; readonly address: string }[] | undefined;

/** The address of a node that has none. */
const nodeAddressDefault = '10.0.0.1';
/** kwok's range for pods, which differs from that of the simulated nodes. */
const podPrefix = '10.0';

export class IpPool {
  readonly #addressesOf: (nodeName: string) => NodeAddresses;
  readonly #pods = new Map<string, string>();
  readonly #free: string[] = [];
  /** 10.0.0.1 belongs to the node. */
  #next = 2;

  constructor(addressesOf: (nodeName: string) => NodeAddresses) {
    this.#addressesOf = addressesOf;
  }

  node(name: string): string {
    const internal = this.#addressesOf(name)?.find(({ type }) => type === 'InternalIP');
    return internal?.address ?? nodeAddressDefault;
  }

  /** Returns the same address for as long as the pod exists. */
  pod(nodeName: string, hostNetwork: boolean, uid: string): string {
    if (hostNetwork) return this.node(nodeName);
    const known = this.#pods.get(uid);
    if (known !== undefined) return known;
    const address = this.#free.pop() ?? this.#fresh();
    this.#pods.set(uid, address);
    return address;
  }

  release(uid: string): void {
    const address = this.#pods.get(uid);
    if (address === undefined) return;
    this.#pods.delete(uid);
    this.#free.push(address);
  }

  #fresh(): string {
    const number = this.#next++;
    return `${podPrefix}.${(number >> 8) & 255}.${number & 255}`;
  }
}
