let mails = 0

export interface ListMail {
  from?: string
  subject?: string
  listId?: string | null
  unsubscribe?: string | null
  post?: string | null
  /** Which header fields the sender has signed, and as whom. */
  signed?: string
  signer?: string
  /** What the server that took it in found; null when it does not say. */
  found?: string | null
  text?: string
  more?: string[]
  date?: Date
}

/** A mail as lists send it: signed, and found to be so by the server that took it in. */
export const listMail = ({
  from = 'Example News <news@example.org>',
  subject = 'What is new',
  listId = 'Example News <news.example.org>',
  unsubscribe = null,
  post = 'List-Unsubscribe=One-Click',
  signed = 'From:Subject:List-Unsubscribe:List-Unsubscribe-Post',
  signer = 'example.org',
  found = 'mx.home.example; dkim=pass header.i=@example.org header.s=k1; spf=pass',
  text = 'All that is new this week.',
  more = [],
  date = new Date(),
}: ListMail = {}): string =>
  [
    ...(found === null ? [] : [`Authentication-Results: ${found}`]),
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${signer}; s=k1;`,
    `\th=${signed}; bh=YWJj; b=ZGVm`,
    `From: ${from}`,
    'To: ana@home.example',
    `Subject: ${subject}`,
    `Message-ID: <list-${++mails}@example.org>`,
    `Date: ${date.toUTCString()}`,
    ...(listId === null ? [] : [`List-Id: ${listId}`]),
    ...(unsubscribe === null ? [] : [`List-Unsubscribe: ${unsubscribe}`]),
    ...(unsubscribe === null || post === null ? [] : [`List-Unsubscribe-Post: ${post}`]),
    ...more,
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '',
  ].join('\r\n')
