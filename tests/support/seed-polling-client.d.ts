export interface CartUpdate {
  status: string;
  results?: Record<string, unknown[]>;
  error?: string;
}
export function submitCart(items: string[], zipcode: string): Promise<string>;
export function pollResults(jobId: string, onUpdate: (update: CartUpdate) => void): Promise<void>;
