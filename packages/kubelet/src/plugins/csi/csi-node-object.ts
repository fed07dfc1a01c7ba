/** Publishes this node's CSI drivers in the API: the CSINode, and labels and an annotation of the Node. */
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { CSINode } from '@coxswain/api/storage/v1/csi-node.ts';
import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';

export interface DriverOnNode {
  readonly name: string;
  /** The driver's ID of this node. */
  readonly nodeId: string;
  /** 0: unspecified. */
  readonly volumesMax: number;
  readonly topology: Readonly<Record<string, string>>;
}

const nodeIdAnnotation = 'csi.volume.kubernetes.io/nodeid';
const migratedAnnotation = 'storage.alpha.kubernetes.io/migrated-plugins';
/** In-tree plugins whose volumes CSI drivers have served since 1.31 or earlier. */
const migratedPlugins = [
  'kubernetes.io/aws-ebs',
  'kubernetes.io/azure-disk',
  'kubernetes.io/azure-file',
  'kubernetes.io/cinder',
  'kubernetes.io/gce-pd',
  'kubernetes.io/portworx-volume',
  'kubernetes.io/vsphere-volume',
].join(',');
const int32Max = 2 ** 31 - 1;
/** Other writers modify the same objects. */
const attemptsMax = 5;

type Drivers = NonNullable<NonNullable<CSINode['spec']>['drivers']>;

export interface CsiNodeObjectOptions {
  readonly client: KubeClient;
  readonly nodeName: string;
}

export class CsiNodeObject {
  readonly #options: CsiNodeObjectOptions;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: CsiNodeObjectOptions) {
    this.#options = options;
  }

  /** Ensures that the object exists, owned by the node, with the annotation for migrated plugins. */
  prepare(): Promise<void> {
    return this.#alone(() => this.#change((drivers) => drivers));
  }

  /** @throws Error if the driver does not know this node, StatusError if the API refuses */
  install({ name, nodeId, volumesMax, topology }: DriverOnNode): Promise<void> {
    if (nodeId === '')
      return Promise.reject(new Error('error adding CSI driver node info: driverNodeID must not be empty'));
    return this.#alone(async () => {
      await this.#changeNode((ids) => ({ ...ids, [name]: nodeId }), topology);
      const driver = {
        name,
        nodeID: nodeId,
        topologyKeys: Object.keys(topology).sort(),
        ...(volumesMax > 0 ? { allocatable: { count: Math.min(volumesMax, int32Max) } } : {}),
      };
      await this.#change((drivers) => [...drivers.filter((each) => each.name !== name), driver]);
    });
  }

  uninstall(name: string): Promise<void> {
    return this.#alone(async () => {
      await this.#change((drivers) => drivers.filter((each) => each.name !== name));
      await this.#changeNode((ids) => withoutKey(ids, name), {});
    });
  }

  #alone(step: () => Promise<void>): Promise<void> {
    const next = this.#work.catch(() => undefined).then(step);
    this.#work = next;
    return next;
  }

  async #changeNode(
    change: (ids: Readonly<Record<string, string>>) => Readonly<Record<string, string>>,
    topology: Readonly<Record<string, string>>,
  ): Promise<void> {
    const nodes = this.#options.client.resource<Node & KubeObject>('v1', 'nodes');
    const { metadata } = await nodes.get(this.#options.nodeName);
    const noted = metadata.annotations?.[nodeIdAnnotation];
    for (const [key, value] of Object.entries(topology))
      refuseOtherTopology(metadata.labels?.[key], key, value);
    const ids = change(noted ? (JSON.parse(noted) as Record<string, string>) : {});
    const text = Object.keys(ids).length === 0 ? undefined : jsonOf(ids);
    const isLabelled = Object.entries(topology).every(([key, value]) => metadata.labels?.[key] === value);
    if (text === noted && isLabelled) return;
    const annotations = { [nodeIdAnnotation]: text ?? null };
    const labels = isLabelled ? {} : { labels: topology };
    await nodes.patch(
      this.#options.nodeName,
      { metadata: { annotations, ...labels } } as unknown as Partial<Node & KubeObject>,
      { type: 'strategic' },
    );
  }

  async #change(change: (drivers: Drivers) => Drivers): Promise<void> {
    const { client, nodeName } = this.#options;
    const csiNodes = client.resource<CSINode & KubeObject>('storage.k8s.io/v1', 'csinodes');
    for (let attempt = 1; ; attempt++) {
      try {
        const node = await client.resource<Node & KubeObject>('v1', 'nodes').get(nodeName);
        const uid = node.metadata.uid ?? '';
        const found = await csiNodes.get(nodeName).catch((error: unknown) => {
          if (isStatusError(error, 'NotFound')) return undefined;
          throw error;
        });
        if (found !== undefined && !isOwned(found, uid)) await csiNodes.delete(nodeName);
        else if (found !== undefined) {
          const drivers = change(found.spec?.drivers ?? []);
          const isNoted = found.metadata.annotations?.[migratedAnnotation] === migratedPlugins;
          if (isNoted && jsonOfDrivers(drivers) === jsonOfDrivers(found.spec?.drivers ?? [])) return;
          const annotations = { ...found.metadata.annotations, [migratedAnnotation]: migratedPlugins };
          await csiNodes.update({
            ...found,
            metadata: { ...found.metadata, annotations },
            spec: { drivers },
          });
          return;
        }
        await csiNodes.create(newObject(nodeName, uid, change([])));
        return;
      } catch (error) {
        const isLost = isStatusError(error, 'Conflict') || isStatusError(error, 'AlreadyExists');
        if (!isLost || attempt === attemptsMax) throw error;
      }
    }
  }
}

const newObject = (name: string, uid: string, drivers: Drivers): CSINode & KubeObject =>
  ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: {
      name,
      annotations: { [migratedAnnotation]: migratedPlugins },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: { drivers },
  }) as unknown as CSINode & KubeObject;

const isOwned = ({ metadata }: KubeObject, uid: string): boolean =>
  metadata.ownerReferences?.some((owner) => owner.kind === 'Node' && owner.uid === uid) ?? false;

function refuseOtherTopology(known: string | undefined, key: string, value: string): void {
  if (known !== undefined && known !== value)
    throw new Error(
      `detected topology value collision: driver reported "${key}":"${value}" but existing label is "${key}":"${known}"`,
    );
}

/** With sorted keys, as Go encodes maps. */
const jsonOf = (record: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))));

const jsonOfDrivers = (drivers: Drivers): string =>
  JSON.stringify(
    drivers.map(({ name, nodeID, topologyKeys, allocatable }) => [
      name,
      nodeID,
      topologyKeys ?? [],
      allocatable?.count,
    ]),
  );

const withoutKey = (record: Readonly<Record<string, string>>, key: string): Record<string, string> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
