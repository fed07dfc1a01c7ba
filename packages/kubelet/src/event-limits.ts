/** Events per second, and how many at once, unless told otherwise: `eventRecordQPS` and `eventBurst` of the original. */
export const eventsPerSecondDefault = 50;
export const eventBurstDefault = 100;
