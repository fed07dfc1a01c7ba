import { formatDurationMs } from '@coxswain/apimachinery';
import {
  RuntimeFailure,
  type ImageInfo,
  type Runtime,
  type StartedContainer,
  type StartRequest,
} from '../runtime.ts';

export type StartOutcome =
  | { readonly kind: 'started'; readonly started: StartedContainer; readonly image: ImageInfo }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly message: string;
      /** Whether the delay before the next attempt grows. */
      readonly backsOff: boolean;
      /** The container was created and counts as a run. */
      readonly ended: RuntimeFailure['ended'];
      /** Its image, if that was present. */
      readonly image: ImageInfo | undefined;
    }
  /** The pod had to stop before the container was running. */
  | { readonly kind: 'stopped' };

type ReportEvent = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

/** Pulls the image, then creates and starts the container, recording each step as an event. */
export async function startContainer(
  runtime: Runtime,
  request: StartRequest,
  event: ReportEvent,
): Promise<StartOutcome> {
  let image: ImageInfo | undefined;
  try {
    image = await imageFor(runtime, request, event);
    const started = await runtime.startContainer(request);
    event('Normal', 'Created', 'Container created');
    event('Normal', 'Started', 'Container started');
    return { kind: 'started', started, image };
  } catch (error) {
    if (request.signal.aborted) return { kind: 'stopped' };
    if (!(error instanceof RuntimeFailure)) throw error;
    if (error.ended !== undefined) event('Normal', 'Created', 'Container created');
    event('Warning', 'Failed', `Error: ${isImageFailure(error.code) ? error.code : error.message}`);
    return {
      kind: 'failed',
      reason: error.code,
      message: error.message,
      backsOff: isImageFailure(error.code),
      ended: error.ended,
      image,
    };
  }
}

async function imageFor(
  runtime: Runtime,
  { pod, container, signal }: StartRequest,
  event: ReportEvent,
): Promise<ImageInfo> {
  const name = container.image ?? '';
  const policy = container.imagePullPolicy ?? 'IfNotPresent';
  const present = policy === 'Always' ? undefined : await runtime.image(name, pod);
  if (present !== undefined) {
    event(
      'Normal',
      'Pulled',
      `Container image "${name}" already present on machine and can be accessed by the pod`,
    );
    return present;
  }
  if (policy === 'Never') {
    const message = `Container image "${name}" is not present with pull policy of Never`;
    event('Warning', 'ErrImageNeverPull', message);
    throw new RuntimeFailure('ErrImageNeverPull', message);
  }
  event('Normal', 'Pulling', `Pulling image "${name}"`);
  try {
    const image = await runtime.pullImage(name, pod, signal);
    const took = formatDurationMs(image.pulledInMs);
    const size = `Image size: ${image.sizeBytes} bytes.`;
    event(
      'Normal',
      'Pulled',
      `Successfully pulled image "${name}" in ${took} (${took} including waiting). ${size}`,
    );
    return image;
  } catch (error) {
    if (error instanceof RuntimeFailure && error.code === 'ErrImagePull') {
      event('Warning', 'Failed', `Failed to pull image "${name}": ${error.message}`);
    }
    throw error;
  }
}

const isImageFailure = (code: string): boolean => code.includes('Image');
