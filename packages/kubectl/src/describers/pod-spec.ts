/** Parts common to pods and pod templates. */
import type { Live } from '@coxswain/apimachinery';
import type * as core from '@coxswain/api/core/v1/index.ts';
import { formatSelector } from './selector.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { describeContainers } from './containers.ts';
import { describeVolumes } from './volumes.ts';
import type { DescriptionText } from './text.ts';

export type Toleration = Live<core.Toleration>;

export type PodSpec = Live<core.PodSpec>;

export type PodTemplate = Live<core.PodTemplateSpec>;

export function describePodTemplate(text: DescriptionText, template: PodTemplate | undefined): void {
  text.line(0, 'Pod Template:');
  // Upstream does not end this line.
  if (template === undefined) return text.start(1, '<unset>');
  const { metadata = {}, spec = {} } = template;
  describeLabels(text, '  Labels', metadata.labels);
  if (Object.keys(metadata.annotations ?? {}).length > 0)
    describeAnnotations(text, '  Annotations', metadata.annotations);
  text.optional(1, 'Service Account', spec.serviceAccountName);
  if (spec.initContainers?.length)
    describeContainers(text, 'Init Containers', spec.initContainers, { nested: true });
  describeContainers(text, 'Containers', spec.containers ?? [], { nested: true });
  describeVolumes(text, spec.volumes, true);
  describeSpread(text, spec, '  ');
  text.optional(1, 'Priority Class Name', spec.priorityClassName);
  describeLabels(text, '  Node-Selectors', spec.nodeSelector);
  describeTolerations(text, '  Tolerations', spec.tolerations);
  describeSchedulingGroup(text, spec, '  ');
}

export function describeSchedulingGroup(
  text: DescriptionText,
  { schedulingGroup }: PodSpec,
  space = '',
): void {
  if (schedulingGroup === undefined) return;
  text.line(0, `${space}SchedulingGroup:`);
  text.field(1, 'PodGroupName', schedulingGroup.podGroupName);
}

export function describeTolerations(
  text: DescriptionText,
  title: string,
  tolerations: readonly Toleration[] = [],
): void {
  if (tolerations.length === 0) return text.line(0, `${title}:\t<none>`);
  const sorted = [...tolerations].sort((a, b) =>
    (a.key ?? '') < (b.key ?? '') ? -1 : (a.key ?? '') > (b.key ?? '') ? 1 : 0,
  );
  sorted.forEach((one, index) => text.line(0, `${index === 0 ? `${title}:` : ''}\t${tolerationText(one)}`));
}

function tolerationText({
  key = '',
  value = '',
  effect = '',
  operator,
  tolerationSeconds,
}: Toleration): string {
  const what = `${key}${value === '' ? '' : `=${value}`}${effect === '' ? '' : `:${effect}`}`;
  const exists =
    operator === 'Exists' && value === '' ? `${key === '' && effect === '' ? '' : ' '}op=Exists` : '';
  return `${what}${exists}${tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`}`;
}

export function describeSpread(
  text: DescriptionText,
  { topologySpreadConstraints = [] }: PodSpec,
  space = '',
): void {
  const sorted = [...topologySpreadConstraints].sort((a, b) => (a.topologyKey < b.topologyKey ? -1 : 1));
  sorted.forEach(({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }, index) => {
    const selector = labelSelector === undefined ? '' : ` for selector ${formatSelector(labelSelector)}`;
    const lead = index === 0 ? `${space}Topology Spread Constraints:` : space;
    text.line(
      0,
      `${lead}\t${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${selector}`,
    );
  });
}
