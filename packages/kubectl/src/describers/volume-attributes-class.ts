import type * as storage from '@coxswain/api/storage/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { formatLabels } from './selector.ts';
import { DescriptionText } from './text.ts';

type VolumeAttributesClass = Live<storage.VolumeAttributesClass>;

export const describeVolumeAttributesClass: Describer = async (object, context) => {
  const { metadata, driverName, parameters }: VolumeAttributesClass = object;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Annotations', formatLabels(metadata.annotations));
  text.field(0, 'DriverName', driverName);
  text.field(0, 'Parameters', formatLabels(parameters));
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};
