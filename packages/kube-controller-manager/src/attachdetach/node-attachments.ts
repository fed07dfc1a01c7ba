/** Tracks what is attached to each node, and reconciles it with what its pods need. */

import { ignoring, isStatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Lister, ResourceClient } from '@coxswain/client';
import type { ControllerContext } from '../controller.ts';
import { resources, type Node, type Pod, type VolumeAttachment } from '../objects.ts';
import { nodeIndex } from '../pods/node-index.ts';
import { isOver } from '../volumes/pod-over.ts';
import {
  attachableVolume,
  attachableVolumes,
  attachmentName,
  attachmentNodeIndex,
  attachmentsByVolume,
  attachmentVolumeIndex,
  volumeKey,
  type AttachableVolume,
  type VolumeListers,
} from './attachable-volume.ts';
import { attachFailed, attachSucceeded, multiAttachError } from './attach-messages.ts';
import { maxWaitForUnmountMs, mayDetach } from './may-detach.ts';

export interface AttachmentListers extends VolumeListers {
  /** Indexed by node. */
  readonly pods: Lister<Pod>;
  readonly nodes: Lister<Node>;
  /** Indexed by node and volume. */
  readonly attachments: Lister<VolumeAttachment>;
}

interface Wish {
  readonly volume: AttachableVolume;
  readonly pods: Pod[];
}

/** The state of a volume on a node beyond its attachment object. */
interface Attached {
  /** Whether it is in the node's status, so that the kubelet may mount it. */
  reported: boolean;
  detachAskedMs?: number;
}

interface NodeRecord {
  readonly attached: Map<string, Attached>;
  /** When the driver of each volume was asked, on the monotonic clock: the request is not withdrawn in the meantime. */
  readonly asked: Map<string, number>;
  /** Volumes whose pods were notified that another node has them. */
  readonly multiAttachReported: Set<string>;
  /** `status.volumesAttached` as last read or written. */
  report: string;
  inUse: readonly string[];
}

/** A driver that has not attached a volume by then has failed. */
const attachMsMax = 2 * 60_000;

export class NodeAttachments {
  static readonly managedAnnotation = 'volumes.kubernetes.io/controller-managed-attach-detach';
  readonly #context: ControllerContext;
  readonly #listers: AttachmentListers;
  readonly #records = new Map<string, NodeRecord>();
  /** By volume: the nodes that wait for it to be detached from another node. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #client: ResourceClient<VolumeAttachment>;

  constructor(context: ControllerContext, listers: AttachmentListers) {
    this.#context = context;
    this.#listers = listers;
    this.#client = context.client.resource<VolumeAttachment>(resources.volumeAttachments);
  }

  /** Returns and forgets the nodes that wait for the volume; those that still wait register again. */
  takeWaiting(volumeName: string): readonly string[] {
    const nodes = [...(this.#waiting.get(volumeName) ?? [])];
    this.#waiting.delete(volumeName);
    return nodes;
  }

  /** Returns when to check again, if only time can change something. */
  async syncNode(nodeName: string): Promise<number | void> {
    const node = this.#listers.nodes.get(nodeName);
    const existing = this.#listers.attachments.byIndex(attachmentNodeIndex, nodeName);
    const isManaged = node?.metadata.annotations?.[NodeAttachments.managedAnnotation] !== undefined;
    if (!isManaged && existing.length === 0 && !this.#records.has(nodeName)) return;
    const record = this.#recordOf(nodeName, node);
    const wishes = isManaged ? this.#wishesOf(nodeName) : new Map<string, Wish>();
    let waitMs = (await this.#detachOthers(nodeName, record, wishes)) ?? Infinity;
    const failures: Error[] = [];
    for (const wish of wishes.values()) {
      try {
        waitMs = Math.min(waitMs, (await this.#attach(nodeName, record, wish)) ?? Infinity);
      } catch (error) {
        failures.push(error as Error);
      }
    }
    await this.#report(nodeName, record);
    if (node === undefined && record.attached.size === 0) this.#records.delete(nodeName);
    if (failures.length > 0) throw failures[0]!;
    return waitMs === Infinity ? undefined : waitMs;
  }

  #recordOf(nodeName: string, node: Node | undefined): NodeRecord {
    let record = this.#records.get(nodeName);
    if (record === undefined) {
      const reported = node?.status?.volumesAttached ?? [];
      record = {
        attached: new Map(reported.map(({ name }) => [name, { reported: true }])),
        asked: new Map(),
        multiAttachReported: new Set(),
        report: JSON.stringify(reported.map(({ name }) => name)),
        inUse: [],
      };
      this.#records.set(nodeName, record);
    }
    if (node !== undefined) record.inUse = node.status?.volumesInUse ?? [];
    return record;
  }

  #wishesOf(nodeName: string): Map<string, Wish> {
    const wishes = new Map<string, Wish>();
    for (const pod of this.#listers.pods.byIndex(nodeIndex, nodeName)) {
      if (isOver(pod)) continue;
      for (const volume of attachableVolumes(pod, this.#listers)) {
        const wish = wishes.get(volume.name);
        if (wish === undefined) wishes.set(volume.name, { volume, pods: [pod] });
        else wish.pods.push(pod);
      }
    }
    return wishes;
  }

  /** Handles attachments that nothing on the node needs. */
  async #detachOthers(
    nodeName: string,
    record: NodeRecord,
    wishes: ReadonlyMap<string, Wish>,
  ): Promise<number | void> {
    const existing = new Map<string, VolumeAttachment>();
    for (const attachment of this.#listers.attachments.byIndex(attachmentNodeIndex, nodeName)) {
      const name = this.#attachedVolume(attachment);
      if (name !== undefined) existing.set(name, attachment);
    }
    let waitMs: number | undefined;
    for (const name of new Set([...record.attached.keys(), ...existing.keys()])) {
      if (wishes.has(name)) continue;
      const attachment = existing.get(name);
      const owedMs = attachment === undefined ? 0 : this.#owedMs(record, name, attachment);
      if (owedMs > 0) {
        waitMs = Math.min(waitMs ?? owedMs, owedMs);
        continue;
      }
      const attached = record.attached.get(name) ?? { reported: false };
      record.attached.set(name, attached);
      attached.detachAskedMs ??= this.#context.clock.monotonic();
      const askedForMs = this.#context.clock.monotonic() - attached.detachAskedMs;
      if (!mayDetach(this.#listers.nodes.get(nodeName), record.inUse.includes(name), askedForMs)) {
        const leftMs = maxWaitForUnmountMs - askedForMs;
        if (leftMs > 0) waitMs = Math.min(waitMs ?? leftMs, leftMs);
        continue;
      }
      attached.reported = false;
      await this.#report(nodeName, record);
      await this.#detach(name, record, attachment);
    }
    return waitMs;
  }

  /** Returns how long the driver may still take to attach a volume; 0 once it has answered. */
  #owedMs(record: NodeRecord, name: string, { status }: VolumeAttachment): number {
    const since = record.asked.get(name);
    if (since === undefined) return 0;
    const leftMs = since + attachMsMax - this.#context.clock.monotonic();
    if (!status?.attached && !status?.attachError && leftMs > 0) return leftMs;
    record.asked.delete(name);
    return 0;
  }

  #attachedVolume(attachment: VolumeAttachment): string | undefined {
    const { persistentVolumeName } = attachment.spec.source ?? {};
    if (!persistentVolumeName) return attachmentsByVolume(attachment)[0];
    const volume = this.#listers.volumes.get(persistentVolumeName);
    return volume && attachableVolume(volume, this.#listers.drivers)?.name;
  }

  async #detach(name: string, record: NodeRecord, attachment: VolumeAttachment | undefined): Promise<void> {
    if (attachment === undefined) return void record.attached.delete(name);
    // The driver removes its finalizer when it is done, which triggers another sync of the node.
    if (attachment.metadata.deletionTimestamp !== undefined) return;
    try {
      await this.#client.delete(attachment.metadata.name ?? '');
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error;
      record.attached.delete(name);
    }
  }

  /** Returns when to check again. @throws Error that was also reported to the pods, so that it is retried later */
  async #attach(nodeName: string, record: NodeRecord, { volume, pods }: Wish): Promise<number | void> {
    const name = await attachmentName(volume, nodeName);
    const attachment = this.#listers.attachments.get(name);
    const attached = record.attached.get(volume.name);
    if (attached?.reported === true) return void delete attached.detachAskedMs;
    if (!volume.shared && !this.#isFreeFor(nodeName, record, { volume, pods })) return;
    record.multiAttachReported.delete(volume.name);
    if (attachment === undefined) {
      record.asked.set(volume.name, this.#context.clock.monotonic());
      return this.#ask(name, nodeName, { volume, pods });
    }
    if (attachment.metadata.deletionTimestamp !== undefined) return;
    const { attached: isAttached, attachError } = attachment.status ?? {};
    if (isAttached) {
      record.asked.delete(volume.name);
      record.attached.set(volume.name, { reported: true });
      for (const pod of pods)
        this.#recordEvent(pod, 'Normal', 'SuccessfulAttachVolume', attachSucceeded(volume));
    } else if (attachError) {
      record.asked.delete(volume.name);
      this.#fail({ volume, pods }, attachError.message ?? '');
    } else return this.#awaitDriver(record, { volume, pods }, attachment);
  }

  /** Returns how long the driver may still take. @throws Error if it has not finished in time */
  #awaitDriver(record: NodeRecord, wish: Wish, attachment: VolumeAttachment): number {
    const { name, driver, handle } = wish.volume;
    if (!record.asked.has(name)) record.asked.set(name, this.#context.clock.monotonic());
    const leftMs = this.#owedMs(record, name, attachment);
    if (leftMs > 0) return leftMs;
    const text = `timed out waiting for external-attacher of ${driver} CSI driver to attach volume ${handle}`;
    return this.#fail(wish, text);
  }

  async #ask(name: string, nodeName: string, wish: Wish): Promise<void> {
    const { driver, volumeName, inline } = wish.volume;
    const source = inline === undefined ? { persistentVolumeName: volumeName } : { inlineVolumeSpec: inline };
    const attachment = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name },
      spec: { attacher: driver, nodeName, source },
    } as unknown as VolumeAttachment;
    try {
      await this.#client.create(attachment);
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists'))
        this.#fail(wish, `attacher.Attach failed: ${messageOf(error)}`);
    }
  }

  #fail({ volume, pods }: Wish, message: string): never {
    const text = attachFailed(volume, message);
    for (const pod of pods) this.#recordEvent(pod, 'Warning', 'FailedAttachVolume', text);
    throw new Error(text);
  }

  /** Whether no other node has the volume, or is attaching or detaching it. */
  #isFreeFor(nodeName: string, record: NodeRecord, { volume, pods }: Wish): boolean {
    const elsewhere = this.#listers.attachments
      .byIndex(attachmentVolumeIndex, volumeKey(volume))
      .filter(({ spec }) => spec.nodeName !== nodeName);
    if (elsewhere.length === 0) return true;
    const waiting = this.#waiting.get(volumeKey(volume)) ?? new Set();
    this.#waiting.set(volumeKey(volume), waiting.add(nodeName));
    const holders = elsewhere.filter(
      ({ metadata, status }) => status?.attached === true && metadata.deletionTimestamp === undefined,
    );
    if (holders.length === 0 || record.multiAttachReported.has(volume.name)) return false;
    record.multiAttachReported.add(volume.name);
    const users = holders.flatMap(({ spec }) => this.#wishesOf(spec.nodeName).get(volume.name)?.pods ?? []);
    for (const pod of pods)
      this.#recordEvent(pod, 'Warning', 'FailedAttachVolume', multiAttachError(volume, pod, users));
    return false;
  }

  async #report(nodeName: string, record: NodeRecord): Promise<void> {
    const names = [...record.attached].filter(([, { reported }]) => reported).map(([name]) => name);
    const report = JSON.stringify(names);
    if (report === record.report) return;
    const volumesAttached = names.length === 0 ? null : names.map((name) => ({ name, devicePath: '' }));
    await ignoring(
      'NotFound',
      this.#context.client
        .resource<Node>(resources.nodes)
        .patch(nodeName, { status: { volumesAttached } }, { subresource: 'status' }),
    );
    record.report = report;
  }

  #recordEvent(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const about = { ...pod, apiVersion: 'v1', kind: 'Pod' };
    this.#context.events('attachdetach-controller').event(about, type, reason, message);
  }
}
