// What others may ask of webhooks and of what is sent to them.
import type { Pool } from 'pg';
import { bindAll } from '../postgres/bind.ts';
import { transaction } from '../postgres/pool.ts';
import {
  type ClaimedDelivery,
  type ClaimLimits,
  claimDeliveries,
  type DeliveryOutcome,
  type DeliveryTotals,
  deliveryTotals,
  finishDeliveries,
  returnDeliveries,
  sweepDeliveries,
} from './deliveries.ts';
import { type Delivery, type DeliveryState, listDeliveries, redeliver } from './delivery-log.ts';
import { emit, type NewEvent } from './webhook-events.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  instanceSecret,
  listWebhooks,
  rotateSecret,
  updateWebhook,
  type Webhook,
  type WebhookInput,
} from './webhooks.ts';

/** Webhooks as people keep them, and what was sent to them. */
export interface WebhookStore {
  /** Null when there are `max` already. */
  createWebhook(
    input: WebhookInput & { secret: string; requestId: string | null; owner: string | null; max: number },
  ): Promise<Webhook | null>;
  /** Null when there is none. */
  getWebhook(id: string): Promise<Webhook | null>;
  /** All of them: there is a limit to how many there may be. */
  listWebhooks(owner: string | null): Promise<Webhook[]>;
  /** Null when there is none. A receiver that is enabled again, or has moved, begins with a clean slate. */
  updateWebhook(id: string, input: WebhookInput & { isEnabled: boolean }): Promise<Webhook | null>;
  /** With everything that was to be sent to it. */
  deleteWebhook(id: string): Promise<boolean>;
  /** The new secret signs from now on, the one before it too for a while; null when there is no such webhook. */
  rotateSecret(id: string, options: { secret: string; overlapSeconds: number }): Promise<Webhook | null>;
  /** What deliveries to addresses that runs name are signed with where configuration gives none: made once, the same for every process. */
  instanceSecret(): Promise<string>;
  /** Tells those who subscribed, in a transaction of its own; returns how many deliveries there are. */
  emit(events: NewEvent[]): Promise<number>;
  /** Newest first. */
  listDeliveries(options: {
    webhookId: string | null;
    state: DeliveryState | null;
    eventId: string | null;
    owner: string | null;
    before: string | null;
    limit: number;
  }): Promise<Delivery[]>;
  /** Sends it again, now: with the same event id, its attempts counted anew, whatever became of it. Null when there is no such delivery. */
  redeliver(webhookId: string | null, seq: string, owner: string | null): Promise<Delivery | null>;
  /** How many ended each way since the beginning, and how many wait. */
  deliveryTotals(): Promise<DeliveryTotals>;
}

/** What waits to be sent. Any number of senders may run: what one has claimed is its own until its lease is over. */
export interface DeliveryStore {
  /** Claims what is due within the limits, for as long as the lease says. */
  claimDeliveries(limits: ClaimLimits): Promise<ClaimedDelivery[]>;
  /** Writes what came of attempts, and how their receivers stand now. */
  finishDeliveries(outcomes: DeliveryOutcome[], random: () => number): Promise<void>;
  /** Attempts that were broken off by our own end: as if they had not been made. */
  returnDeliveries(deliveries: ClaimedDelivery[]): Promise<void>;
  /** Ends what there is no sense in sending any more: what it tells is gone, or too much waits for one receiver. Returns how many of each. */
  sweepDeliveries(options: { waitingMax: number }): Promise<{ expired: number; dropped: number }>;
}

export const webhookStore = (pool: Pool): WebhookStore & DeliveryStore =>
  bindAll(pool, {
    createWebhook,
    getWebhook,
    listWebhooks,
    updateWebhook,
    deleteWebhook,
    rotateSecret,
    instanceSecret,
    listDeliveries,
    redeliver,
    deliveryTotals,
    claimDeliveries,
    finishDeliveries,
    returnDeliveries,
    sweepDeliveries,
    emit: (pool: Pool, events: NewEvent[]) => transaction(pool, (client) => emit(client, events)),
  });
