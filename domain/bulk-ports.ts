/** What requests about many numbers ask of the outside world. See `ports.ts`. */

/** How far a bulk request has come. */
export interface BulkProgress {
  readonly done: number;
  readonly total: number;
}

/** Requests about many numbers. The numbers are in the database, so that none of them is in a workflow's history. */
export interface BulkActivities {
  /**
   * Takes on the next numbers that have no outcome yet: places their orders, or asks the registry about them, and
   * stores each outcome at once. Heartbeats with each number. Key: the request; a number with an outcome is left alone.
   */
  workBulkBatch(input: { readonly requestSid: string; readonly size: number }): Promise<BulkProgress>;
  /** Marks the request as processed. Key: the request. */
  finishBulkRequest(input: { readonly requestSid: string; readonly at: string }): Promise<void>;
  /** Tells the address the customer gave, if any. Key, as Message-ID: the request. A refused address is no error. */
  mailBulkResult(input: { readonly requestSid: string }): Promise<void>;
}
