let mails = 0

export interface ListMail {
  from?: string
  subject?: string
  listId?: string | null
  unsubscribe?: string | null
  post?: string | null
  /** The header fields that the sender signed (DKIM), and the signing domain. */
  signed?: string
  signer?: string
  /** The result in the receiving server's header; null if there is none. */
  found?: string | null
  text?: string
  more?: string[]
  date?: Date
}

/** Creates a mailing list mail with a valid signature and the verification result of the receiving server. */
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
