/** A step on the way of a volume to a pod that failed, told in the words of the original's events. */
export class VolumeFailure extends Error {
  readonly operation: string;
  readonly volume: string;

  /** `operation` as in `MountVolume.MountDevice` */
  constructor(operation: string, volume: string, why: string, cause: unknown) {
    super(why, { cause });
    this.operation = operation;
    this.volume = volume;
  }
}
