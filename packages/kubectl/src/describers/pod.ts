import type * as core from '@coxswain/api/core/v1/index.ts';
import { qosClassOf } from '@coxswain/api/core/v1/pod/quality-of-service.ts';
import type { Live } from '@coxswain/apimachinery';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import { describeContainers, describeResources, type ContainerStatus } from './containers.ts';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { controllerOf, describeAnnotations, describeLabels } from './metadata.ts';
import { describeSchedulingGroup, describeSpread, describeTolerations } from './pod-spec.ts';
import { DescriptionText, timeText } from './text.ts';
import { describeVolumes } from './volumes.ts';

export type Pod = Live<core.Pod>;

/** Static pods have the uid of their file here, and so do their events. */
const mirrorAnnotation = 'kubernetes.io/config.mirror';

export const describePod: Describer = async (object, context) => {
  const pod: Pod = object;
  const { metadata, spec = {}, status = {} } = pod;
  const mirrored = metadata.annotations?.[mirrorAnnotation];
  const events = await context.events(pod, {
    anyKind: true,
    ...(mirrored === undefined ? {} : { uid: mirrored }),
  });
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  text.optional(0, 'Priority', spec.priority);
  text.optional(0, 'Priority Class Name', spec.priorityClassName);
  text.optional(0, 'Runtime Class Name', spec.runtimeClassName);
  text.optional(0, 'Service Account', spec.serviceAccountName);
  text.field(0, 'Node', spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ''}` : '<none>');
  if (status.startTime) text.field(0, 'Start Time', timeText(status.startTime));
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  describePhase(text, pod, context.nowMs);
  text.field(0, 'IP', status.podIP);
  describeIps(text, pod);
  text.optional(0, 'Controlled By', controllerOf(pod));
  text.optional(0, 'NominatedNodeName', status.nominatedNodeName);
  if (spec.resources) {
    text.line(0, 'Resources:');
    describeResources(text, spec.resources, 1);
  }
  describeAllContainers(text, pod);
  describeConditions(text, pod);
  describeVolumes(text, spec.volumes);
  text.field(0, 'QoS Class', status.qosClass || qosClassOf({ spec: spec as core.PodSpec }));
  describeLabels(text, 'Node-Selectors', spec.nodeSelector);
  describeTolerations(text, 'Tolerations', spec.tolerations);
  describeSpread(text, spec);
  describeSchedulingGroup(text, spec);
  describeEvents(text, events, context.nowMs);
  return text.toString();
};

function describePhase(
  text: DescriptionText,
  { metadata, spec = {}, status = {} }: Pod,
  nowMs: number,
): void {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (deletionTimestamp !== undefined && status.phase !== 'Failed' && status.phase !== 'Succeeded') {
    text.field(0, 'Status', `Terminating (lasts ${humanDuration(nowMs - Date.parse(deletionTimestamp))})`);
    text.field(0, 'Termination Grace Period', `${deletionGracePeriodSeconds}s`);
  } else text.field(0, 'Status', status.phase);
  text.optional(0, 'Reason', status.reason);
  text.optional(0, 'Message', status.message);
  const seccomp = spec.securityContext?.seccompProfile;
  if (seccomp === undefined) return;
  text.field(0, 'SeccompProfile', seccomp.type);
  if (seccomp.type === 'Localhost') text.field(0, 'LocalhostProfile', seccomp.localhostProfile);
}

function describeIps(text: DescriptionText, { status = {} }: Pod): void {
  if (!status.podIPs?.length) return text.line(0, 'IPs:\t<none>');
  text.line(0, 'IPs:');
  for (const { ip } of status.podIPs) text.field(1, 'IP', ip);
}

function describeAllContainers(text: DescriptionText, pod: Pod): void {
  const { spec = {}, status = {} } = pod;
  const fieldValue = (path: string) => podField(pod, path);
  const place = (statuses: readonly ContainerStatus[] = []) => ({ statuses, fieldValue });
  if (spec.initContainers?.length) {
    describeContainers(text, 'Init Containers', spec.initContainers, place(status.initContainerStatuses));
  }
  describeContainers(text, 'Containers', spec.containers ?? [], place(status.containerStatuses));
  if (spec.ephemeralContainers?.length) {
    describeContainers(
      text,
      'Ephemeral Containers',
      spec.ephemeralContainers,
      place(status.ephemeralContainerStatuses),
    );
  }
}

/** Only metadata fields can be determined here. */
function podField({ metadata }: Pod, path: string): string {
  const key = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  if (key !== null) return metadata[key[1] as 'labels' | 'annotations']?.[key[2] ?? ''] ?? '';
  const plain: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
  };
  return plain[path] ?? '';
}

function describeConditions(text: DescriptionText, { spec = {}, status = {} }: Pod): void {
  const { conditions = [] } = status;
  if (spec.readinessGates?.length) {
    text.line(0, 'Readiness Gates:\n  Type\tStatus');
    for (const { conditionType } of spec.readinessGates) {
      const found = conditions.find(({ type }) => type === conditionType);
      text.line(1, `${conditionType} \t${found?.status ?? '<none>'} `);
    }
  }
  if (conditions.length === 0) return;
  text.line(0, 'Conditions:\n  Type\tStatus');
  for (const { type, status: value } of conditions) text.line(1, `${type} \t${value} `);
}
