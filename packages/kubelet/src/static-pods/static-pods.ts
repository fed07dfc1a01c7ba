/** Runs the pods from the node's files, and maintains a mirror pod in the API for each. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { watch } from 'node:fs';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import { formatTime, isStatusError, type Clock, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ResourceClient } from '@coxswain/client';
import type { StatusWriter } from '../status/status-writer.ts';
import { hashAnnotation, mirrorAnnotation } from '../pod/pod-source.ts';
import { readManifests } from './read-manifests.ts';

export interface StaticPodsOptions {
  /** The file or directory; if empty, nothing is read. */
  readonly place: string;
  readonly everyMs: number;
  readonly nodeName: string;
  readonly nodeUid: () => string | undefined;
  readonly pods: ResourceClient<Pod & KubeObject>;
  readonly writer: StatusWriter;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Runs the pods. */
export interface PodListener {
  /** A pod was added, or must stop. */
  podChanged(pod: Pod): void;
  podGone(pod: Pod): void;
}

export const isMirror = ({ metadata }: Pod): boolean =>
  metadata?.annotations?.[mirrorAnnotation] !== undefined;

/** Combines several changes of a directory. */
const settleMs = 100;

export class StaticPods {
  readonly #options: StaticPodsOptions;
  #pods: ReadonlyMap<string, Pod> = new Map();
  /** The mirror pods by name. */
  readonly #mirrors = new Map<string, Pod>();
  readonly #statuses = new Map<string, PodStatus>();
  #complaints = '';
  #listener: PodListener = { podChanged: () => undefined, podGone: () => undefined };

  constructor(options: StaticPodsOptions) {
    this.#options = options;
  }

  /** Reads the existing files, then watches until the signal aborts. */
  async start(listener: PodListener): Promise<void> {
    const { place, clock, everyMs, signal } = this.#options;
    this.#listener = listener;
    if (place === '') return;
    await this.#read();
    this.#watch();
    detach(
      (async () => {
        while (!signal.aborted) {
          await clock.sleep(everyMs, signal).catch(() => undefined);
          if (!signal.aborted) await this.#read();
        }
      })(),
      this.#options.onError,
    );
  }

  /** For the kubelet: the status of a static pod is written to its mirror pod. */
  get writer(): Pick<StatusWriter, 'report' | 'remove' | 'forget'> {
    const { writer } = this.#options;
    return {
      report: (pod, status) => (this.#isStatic(pod) ? this.#report(pod, status) : writer.report(pod, status)),
      remove: (pod) => (this.#isStatic(pod) ? this.#ended(pod) : writer.remove(pod)),
      forget: (pod) => writer.forget(pod),
    };
  }

  /** Handles a mirror pod's current state in the API. */
  mirrorChanged(mirror: Pod): void {
    const { clock, onError } = this.#options;
    const key = keyOf(mirror);
    const pod = this.#byKey(key);
    const isOurs =
      pod !== undefined &&
      mirror.metadata?.annotations?.[mirrorAnnotation] === pod.metadata?.annotations?.[hashAnnotation];
    if (!isOurs || mirror.metadata?.deletionTimestamp) return void this.#remove(mirror).catch(onError);
    this.#mirrors.set(key, mirror);
    const status = this.#statuses.get(key);
    if (status !== undefined) clock.after(0, () => this.#report(pod, status));
  }

  mirrorGone(mirror: Pod): void {
    const key = keyOf(mirror);
    if (this.#mirrors.get(key)?.metadata?.uid === mirror.metadata?.uid) this.#mirrors.delete(key);
    this.#options.writer.forget(mirror);
    const pod = this.#byKey(key);
    if (pod !== undefined) detach(this.#mirror(pod), this.#options.onError);
  }

  /** Whether the pod is currently running. */
  has(uid: string): boolean {
    return this.#pods.has(uid);
  }

  #isStatic(pod: Pod): boolean {
    return pod.metadata?.annotations?.[hashAnnotation] !== undefined && !isMirror(pod);
  }

  #byKey(key: string): Pod | undefined {
    return [...this.#pods.values()].find((pod) => keyOf(pod) === key);
  }

  async #read(): Promise<void> {
    const { place, nodeName, clock, onError } = this.#options;
    const { pods, problems } = await readManifests(place, nodeName, clock.now());
    const complaints = problems.map(
      ({ file, error }) => `could not process manifest file ${file}: ${messageOf(error)}`,
    );
    // Repeated only if it has changed.
    if (complaints.join('\n') !== this.#complaints)
      for (const complaint of complaints) onError(new Error(complaint));
    this.#complaints = complaints.join('\n');
    const before = this.#pods;
    this.#pods = pods;
    for (const [uid, pod] of before)
      if (!pods.has(uid)) this.#listener.podChanged(stopping(pod, clock.now()));
    for (const [uid, pod] of pods) {
      if (before.has(uid)) continue;
      this.#listener.podChanged(pod);
      detach(this.#mirror(pod), this.#options.onError);
    }
  }

  #watch(): void {
    const { place, clock, signal, onError } = this.#options;
    let isPending = false;
    try {
      const watcher = watch(place, () => {
        if (isPending) return;
        isPending = true;
        clock.after(settleMs, () => {
          isPending = false;
          this.#read().catch(onError);
        });
      });
      watcher.on('error', onError);
      signal.addEventListener('abort', () => watcher.close(), { once: true });
    } catch {
      // The directory doesn't exist yet; polling will find it.
    }
  }

  async #mirror(pod: Pod): Promise<void> {
    const { pods, nodeName, nodeUid, onError } = this.#options;
    const uid = nodeUid();
    const { metadata, spec } = pod;
    const mirror = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: metadata?.name,
        namespace: metadata?.namespace,
        labels: metadata?.labels,
        annotations: {
          ...metadata?.annotations,
          [mirrorAnnotation]: metadata?.annotations?.[hashAnnotation],
        },
        ...(uid === undefined
          ? {}
          : { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid, controller: true }] }),
      },
      spec,
    } as unknown as Pod & KubeObject;
    try {
      await pods.namespace(metadata?.namespace ?? '').create(mirror);
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) onError(error);
    }
  }

  #report(pod: Pod, status: PodStatus): void {
    const key = keyOf(pod);
    this.#statuses.set(key, status);
    const mirror = this.#mirrors.get(key);
    if (mirror !== undefined) this.#options.writer.report(mirror, status);
  }

  /** The pod has stopped: deletes its mirror pod and removes it from the kubelet. */
  #ended(pod: Pod): void {
    const key = keyOf(pod);
    this.#statuses.delete(key);
    const mirror = this.#mirrors.get(key);
    if (mirror !== undefined && this.#byKey(key) === undefined)
      this.#remove(mirror).catch(this.#options.onError);
    this.#listener.podGone(pod);
  }

  async #remove({ metadata }: Pod): Promise<void> {
    const pods = this.#options.pods.namespace(metadata?.namespace ?? '');
    try {
      await pods.delete(metadata?.name ?? '', {
        gracePeriodSeconds: 0,
        preconditions: { uid: metadata?.uid ?? '' },
      });
    } catch (error) {
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error;
    }
  }
}

const keyOf = ({ metadata }: Pod): string => `${metadata?.namespace}/${metadata?.name}`;

/** A pod whose file is gone is treated as deleted. */
const stopping = (pod: Pod, nowMs: number): Pod =>
  ({
    ...pod,
    metadata: {
      ...pod.metadata,
      deletionTimestamp: formatTime(nowMs),
      deletionGracePeriodSeconds: Number(pod.spec?.terminationGracePeriodSeconds ?? 30),
    },
  }) as Pod;
