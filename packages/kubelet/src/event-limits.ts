/** The default rate and burst of events: upstream's `eventRecordQPS` and `eventBurst`. */
export const eventsPerSecondDefault = 50;
export const eventBurstDefault = 100;
