import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeLimits, type LimitRange } from './limits.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { describeQuotas, type ResourceQuota } from './quotas.ts';
import { DescriptionText, timeText } from './text.ts';

type Namespace = Live<core.Namespace>;

export const describeNamespace: Describer = async (object, context) => {
  const { metadata, status = {} }: Namespace = object;
  const root = `/api/v1/namespaces/${metadata.name}`;
  const quotas = await context.list<ResourceQuota>(`${root}/resourcequotas`);
  const limits = await context.list<LimitRange>(`${root}/limitranges`);
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'Status', status.phase);
  if (status.conditions?.length) {
    text.line(0, 'Conditions:');
    text.line(1, 'Type\tStatus\tLastTransitionTime\tReason\tMessage');
    text.line(1, '----\t------\t------------------\t------\t-------');
    for (const one of status.conditions) {
      text.line(
        1,
        [one.type, one.status, timeText(one.lastTransitionTime), one.reason ?? '', one.message ?? ''].join(
          '\t',
        ),
      );
    }
  }
  text.line(0, '');
  describeQuotas(text, quotas);
  text.line(0, '');
  describeLimits(text, limits);
  return text.toString();
};
