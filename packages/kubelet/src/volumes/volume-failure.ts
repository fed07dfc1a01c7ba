/** A failed step of mounting a volume, with the message of upstream's events. */
export class VolumeFailure extends Error {
  readonly operation: string;
  readonly volume: string;

  /** @param operation as in `MountVolume.MountDevice` */
  constructor(operation: string, volume: string, why: string, cause: unknown) {
    super(why, { cause });
    this.operation = operation;
    this.volume = volume;
  }
}
