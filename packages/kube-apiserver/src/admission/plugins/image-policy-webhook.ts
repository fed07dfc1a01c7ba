/** Asks an external service whether a pod's images may run. */
import type { Clock, Random } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { ExpiringCache } from '../../expiring-cache.ts';
import { answeredObject } from '../../webhook-answer.ts';
import type { WebhookConnection, WebhookConnector } from '../../webhook-connection.ts';
import { postWithRetry } from '../../webhook-retry.ts';
import { isTo, objectOf, on, refused } from '../attributes.ts';
import type { ImagePolicySettings } from '../configuration/image-policy.ts';
import { resources } from '../../object-reader.ts';

interface ReviewStatus {
  readonly allowed?: boolean;
  readonly reason?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

const auditPrefix = 'imagepolicywebhook.image-policy.k8s.io/';
const annotationMark = '.image-policy.k8s.io/';
const failedOpenAnnotation = 'alpha.image-policy.k8s.io/failed-open';
const answersMax = 1024;
const timeoutMs = 30_000;

/** @throws Error when the kubeconfig is unusable */
export function imagePolicyWebhook(
  settings: ImagePolicySettings,
  connect: WebhookConnector,
  clock: Clock,
  random: Random,
): AdmissionPlugin {
  const connection = connect(settings.kubeConfigFile, timeoutMs);
  const answers = new ExpiringCache<ReviewStatus>(clock, answersMax);
  const ask = async (spec: object): Promise<ReviewStatus> => {
    const key = JSON.stringify(spec);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const status = await review(connection, spec, { clock, random, initialMs: settings.retryBackOffMs });
    answers.set(key, status, status.allowed ? settings.allowTtlMs : settings.denyTtlMs);
    return status;
  };
  return {
    name: 'ImagePolicyWebhook',
    handles: on('CREATE', 'UPDATE'),
    async validate(attributes) {
      const isEphemeral = isTo(attributes, resources.pods, 'ephemeralcontainers');
      if (!isEphemeral && !isTo(attributes, resources.pods)) return;
      const asked = await ask(specOf(attributes, isEphemeral)).catch((failure: Error) => failure);
      if (asked instanceof Error) return failed(attributes, asked, settings.defaultAllow);
      for (const [key, value] of Object.entries(asked.auditAnnotations ?? {})) {
        attributes.annotate(`${auditPrefix}${key}`, value);
      }
      if (asked.allowed) return;
      throw refused(
        attributes,
        asked.reason
          ? `image policy webhook backend denied one or more images: ${asked.reason}`
          : 'one or more images rejected by webhook backend',
      );
    },
  };
}

function specOf(attributes: AdmissionAttributes, isEphemeral: boolean): object {
  const { spec, metadata } = objectOf<Pod>(attributes);
  const containers = isEphemeral
    ? (spec.ephemeralContainers ?? [])
    : [...spec.containers, ...(spec.initContainers ?? [])];
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) =>
    key.includes(annotationMark),
  );
  return {
    containers: containers.map(({ image }) => (image ? { image } : {})),
    ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {}),
    namespace: attributes.namespace,
  };
}

async function review(
  connection: WebhookConnection,
  spec: object,
  backOff: Parameters<typeof postWithRetry>[2],
): Promise<ReviewStatus> {
  const body = {
    kind: 'ImageReview',
    apiVersion: 'imagepolicy.k8s.io/v1alpha1',
    metadata: {},
    spec,
    status: {},
  };
  const answer = await postWithRetry(connection, JSON.stringify(body), backOff);
  const { status } = answeredObject(answer) as { readonly status?: ReviewStatus };
  return status ?? {};
}

/** Applies the configured default when the service fails, and annotates the pod. */
function failed(attributes: AdmissionAttributes, failure: Error, defaultAllow: boolean): void {
  if (!defaultAllow) throw refused(attributes, failure.message);
  attributes.annotate(`${auditPrefix}failed-open`, 'true');
  const { metadata } = objectOf<Pod>(attributes);
  metadata.annotations = { ...metadata.annotations, [failedOpenAnnotation]: 'true' };
}
