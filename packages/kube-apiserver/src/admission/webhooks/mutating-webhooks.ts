/** MutatingAdmissionWebhook: calls webhooks in order, each with the previous one's result. */
import { deepClone, internalError, timeout, type KubeObject } from '@coxswain/apimachinery';
import { semanticDeepEqual } from '@coxswain/apimachinery/deep-equal.ts';
import { reinvocationOf, type AdmissionAttributes, type Reinvocation } from '@coxswain/apiserver';
import { isAdmissionConfiguration, type MatchedRequest } from '../rule-matching.ts';
import { ObjectVersions, versionedObjects, type VersionedObjects } from '../versioned-objects.ts';
import { callWebhook, CallFailure, countedFailure } from './call-webhook.ts';
import { matchWebhook } from './match-webhook.ts';
import { patchedByWebhook, type WebhookPatch } from './patched-object.ts';
import type { WebhookParts } from './webhook-parts.ts';
import { webhooksOf, type Webhook, type WebhookConfiguration } from './webhook.ts';

/** @throws the error of the first webhook that refused the write */
export async function askMutatingWebhooks(
  attributes: AdmissionAttributes,
  configurations: readonly WebhookConfiguration[],
  parts: WebhookParts,
): Promise<void> {
  if (isAdmissionConfiguration(attributes)) return;
  const round = new MutatingRound(attributes, parts);
  for (const [index, webhook] of webhooksOf(configurations).entries()) await round.ask(webhook, index);
  await round.finish();
}

/** State kept between the two rounds. */
interface Notes {
  /** The webhooks to reinvoke if a later one changes the object. */
  readonly reinvocable: Set<string>;
  /** The webhooks to reinvoke. */
  readonly reinvoked: Set<string>;
  lastOutput: KubeObject | undefined;
}

const pluginName = 'MutatingAdmissionWebhook';

function notesOf({ notes }: Reinvocation): Notes {
  let found = notes.get(pluginName) as Notes | undefined;
  if (found === undefined) {
    found = { reinvocable: new Set(), reinvoked: new Set(), lastOutput: undefined };
    notes.set(pluginName, found);
  }
  return found;
}

function reinvokeAll({ reinvocable, reinvoked }: Notes): void {
  for (const uid of reinvocable) reinvoked.add(uid);
  reinvocable.clear();
}

class MutatingRound {
  readonly #attributes: AdmissionAttributes;
  readonly #parts: WebhookParts;
  readonly #reinvocation: Reinvocation;
  readonly #notes: Notes;
  #versions: ObjectVersions;
  /** The object as changed by a webhook, in that webhook's version. */
  #changed: VersionedObjects | undefined;

  constructor(attributes: AdmissionAttributes, parts: WebhookParts) {
    this.#attributes = attributes;
    this.#parts = parts;
    this.#versions = new ObjectVersions(attributes, parts.equivalents);
    this.#reinvocation = reinvocationOf(attributes);
    this.#notes = notesOf(this.#reinvocation);
    const { lastOutput } = this.#notes;
    if (this.#reinvocation.isSecondRound && !semanticDeepEqual(lastOutput, attributes.object)) {
      reinvokeAll(this.#notes);
    }
  }

  async ask(webhook: Webhook, index: number): Promise<void> {
    const write = { attributes: this.#current(), in: (matched: MatchedRequest) => this.#in(matched) };
    const matching = matchWebhook(webhook, write, 'admit', this.#parts);
    const matched = matching instanceof Promise ? await matching : matching;
    if (matched === undefined) return;
    const { isSecondRound } = this.#reinvocation;
    if (isSecondRound && !this.#notes.reinvoked.has(webhook.uid)) return;
    const isChanged = await this.#call(webhook, await this.#in(matched), index);
    if (isChanged) {
      reinvokeAll(this.#notes);
      this.#reinvocation.isWanted = true;
    }
    if (webhook.isReinvoked) this.#notes.reinvocable.add(webhook.uid);
  }

  /** Writes the webhooks' result back into the request. */
  async finish(): Promise<void> {
    await this.#putBack();
    const { object } = this.#attributes;
    this.#notes.lastOutput = this.#reinvocation.isWanted && object ? deepClone(object) : object;
  }

  /** Selectors match the labels that previous webhooks left. */
  #current(): AdmissionAttributes {
    const changed = this.#changed?.object;
    return changed === undefined
      ? this.#attributes
      : Object.assign(Object.create(this.#attributes) as AdmissionAttributes, { object: changed });
  }

  async #in(matched: MatchedRequest): Promise<VersionedObjects> {
    if (this.#changed !== undefined) {
      const { resource } = this.#changed.matched;
      if (resource.group === matched.resource.group && resource.version === matched.resource.version) {
        return this.#changed;
      }
      await this.#putBack();
    }
    return this.#versions.in(matched);
  }

  async #putBack(): Promise<void> {
    const changed = this.#changed;
    if (changed?.object === undefined) return;
    this.#attributes.object = await this.#versions.backFrom(changed, changed.object);
    this.#changed = undefined;
    this.#versions = new ObjectVersions(this.#attributes, this.#parts.equivalents);
  }

  async #call(webhook: Webhook, write: VersionedObjects, index: number): Promise<boolean> {
    const { clock, metrics } = this.#parts;
    const { name, ignoresFailures } = webhook;
    const call = { name, type: 'admit', operation: write.attributes.operation } as const;
    const startMs = clock.monotonic();
    const seconds = () => (clock.monotonic() - startMs) / 1000;
    try {
      const isChanged = await this.#patch(webhook, write, index);
      metrics.called(call, seconds(), 200, false);
      return isChanged;
    } catch (failure) {
      const refusal = countedFailure(call, seconds(), failure, ignoresFailures, metrics);
      if (refusal !== undefined) throw refusal;
      this.#passOver(webhook, index, failure as CallFailure);
      return false;
    } finally {
      this.#attributes.noteWait?.('mutating-webhook', clock.monotonic() - startMs);
    }
  }

  #passOver({ name }: Webhook, index: number, { isCanceled }: CallFailure): void {
    const { clock } = this.#parts;
    if (!isCanceled) {
      this.#attributes.annotate(`failed-open.${mutationPrefix}${this.#place(index)}`, name);
    }
    if (isCanceled || clock.monotonic() >= this.#attributes.deadlineMs) {
      throw timeout('request did not complete within requested timeout', 0);
    }
  }

  async #patch(webhook: Webhook, write: VersionedObjects, index: number): Promise<boolean> {
    let isChanged = false;
    try {
      const response = await callWebhook(webhook, write, true, this.#parts);
      const patch = patchedByWebhook(webhook.name, write, response);
      if (patch === undefined) return false;
      isChanged = patch.isChanged;
      this.#take(webhook, write, index, patch);
      return isChanged;
    } finally {
      const { configuration, name } = webhook;
      const value = JSON.stringify({ configuration, webhook: name, mutated: isChanged });
      this.#attributes.annotate(`${mutationPrefix}${this.#place(index)}`, value);
    }
  }

  #take(
    { configuration, name }: Webhook,
    { attributes, matched, form, oldObject }: VersionedObjects,
    index: number,
    { operations, object }: WebhookPatch,
  ): void {
    if (object === undefined) throw internalError('a patch left no object');
    const note = { configuration, webhook: name, patch: operations, patchType: 'JSONPatch' };
    this.#attributes.annotate(`${patchPrefix}${this.#place(index)}`, JSON.stringify(note), 'Request');
    this.#changed = versionedObjects(attributes, matched, form, object, oldObject);
  }

  #place(index: number): string {
    return `round_${this.#reinvocation.isSecondRound ? 1 : 0}_index_${index}`;
  }
}

const mutationPrefix = 'mutation.webhook.admission.k8s.io/';
const patchPrefix = 'patch.webhook.admission.k8s.io/';
