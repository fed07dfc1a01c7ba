/** The API objects needed to mount a CSI volume: CSIDriver, VolumeAttachment, Secrets, tokens. */
import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { CSIDriver } from '@coxswain/api/storage/v1/csi-driver.ts';
import type { VolumeAttachment } from '@coxswain/api/storage/v1/volume-attachment.ts';
import { isStatusError, type KubeObject, type Live } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KubeClient } from '@coxswain/client';
import type { ApiSources } from '../../volumes/api-sources.ts';
import { attachmentName, uniqueVolumeName } from './csi-paths.ts';

export interface CsiApiOptions {
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly sources: Pick<ApiSources, 'secret' | 'tokenStatus'>;
}

/** The API calls that mounting needs. */
export type CsiFacts = Pick<
  CsiApi,
  'nodeName' | 'driver' | 'isReportedAttached' | 'attachment' | 'secret' | 'tokens'
>;

export type DriverSpec = NonNullable<CSIDriver['spec']>;
type Texts = Readonly<Record<string, string>>;

type SecretReference = Live<core.SecretReference>;

export class CsiApi {
  readonly #options: CsiApiOptions;

  constructor(options: CsiApiOptions) {
    this.#options = options;
  }

  get nodeName(): string {
    return this.#options.nodeName;
  }

  /** Undefined without a CSIDriver object: the driver is then treated as a legacy one. */
  async driver(name: string): Promise<DriverSpec | undefined> {
    const drivers = this.#options.client.resource<CSIDriver & KubeObject>('storage.k8s.io/v1', 'csidrivers');
    try {
      return (await drivers.get(name)).spec;
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  /** Whether the attach-detach controller has reported the volume as attached. */
  async isReportedAttached(driver: string, handle: string): Promise<boolean> {
    const { client, nodeName } = this.#options;
    const { status } = await client.resource<Node & KubeObject>('v1', 'nodes').get(nodeName);
    const name = uniqueVolumeName(driver, handle);
    return status?.volumesAttached?.some((each) => each.name === name) ?? false;
  }

  /** The attacher's metadata; undefined while it is working. @throws Error if it has failed */
  async attachment(driver: string, handle: string): Promise<Texts | undefined> {
    const { client, nodeName } = this.#options;
    const attachments = client.resource<VolumeAttachment & KubeObject>(
      'storage.k8s.io/v1',
      'volumeattachments',
    );
    const name = attachmentName(handle, driver, nodeName);
    const { metadata, status } = await attachments.get(name).catch((error: unknown) => {
      const why = messageOf(error);
      throw new Error(`volume ${handle} has GET error for volume attachment ${name}: ${why}`);
    });
    if (metadata.deletionTimestamp) throw new Error('volume attachment is being deleted');
    if (status?.attached) return status.attachmentMetadata ?? {};
    if (status?.attachError) throw new Error(status.attachError.message);
    return undefined;
  }

  /** @throws StatusError 404 */
  async secret(reference: SecretReference | null | undefined): Promise<Texts> {
    if (!reference) return {};
    const { data } = await this.#options.sources.secret(reference.namespace ?? '', reference.name ?? '');
    return Object.fromEntries(
      Object.entries(data ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]),
    );
  }

  /** The tokens for a driver with tokenRequests, one per audience, as the JSON that drivers read. */
  async tokens(pod: Pod, requests: DriverSpec['tokenRequests']): Promise<Texts> {
    if (!requests?.length) return {};
    const entries = await Promise.all(
      requests.map(async ({ audience, expirationSeconds }) => {
        const seconds = Number(expirationSeconds ?? tokenSecondsDefault);
        const { token, expirationTimestamp } = await this.#options.sources.tokenStatus(
          pod,
          audience,
          seconds,
        );
        return [audience, { token, expirationTimestamp }] as const;
      }),
    );
    return { 'csi.storage.k8s.io/serviceAccount.tokens': JSON.stringify(Object.fromEntries(entries.sort())) };
  }
}

/** The API server's default. */
const tokenSecondsDefault = 3600;
