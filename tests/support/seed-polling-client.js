// The polling client that the platform was first described with, in its shape: relative addresses, no headers read, no status codes looked at, two seconds
// between polls. It must go on working against the server as it is, so nothing here may be adapted to the server.
export async function submitCart(items, zipcode) {
  const response = await fetch('/cart', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ items, zipcode }),
  });
  const data = await response.json();
  return data.job_id;
}

export async function pollResults(jobId, onUpdate) {
  const poll = async () => {
    const response = await fetch(`/results/${jobId}`);
    const data = await response.json();
    if (data.status === 'complete') {
      onUpdate({ status: 'complete', results: data.results });
      return;
    }
    if (data.status === 'failed') {
      onUpdate({ status: 'error', error: data.error });
      return;
    }
    onUpdate({ status: 'processing' });
    setTimeout(poll, 2000);
  };
  poll();
}
