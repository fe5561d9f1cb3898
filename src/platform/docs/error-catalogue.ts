export interface CataloguedError {
  code: string
  status: number
  meaning: string
  remedy: string
}

const error = (status: number, code: string, meaning: string, remedy: string): CataloguedError => ({
  code,
  status,
  meaning,
  remedy,
})

/** Every code that a problem may carry, in the order of its status. The `type` of each problem leads to its entry. */
export const ERROR_CATALOGUE: readonly CataloguedError[] = [
  error(
    400,
    'validation_failed',
    'Something in the path, the query, a header or the body is missing, unknown, malformed or out of range.',
    'Read `errors`: each entry names the field by its `path` and says what is wrong with it. Correct the request before you send it again.',
  ),
  error(
    400,
    'page_unavailable',
    'The page that was to be looked at could not be had: its address is private, it was not found, did not answer, sent too much, or is no page.',
    'Read `errors`: it says which step failed. Check the address in a browser; a page that only you can reach can be sent as `html`.',
  ),
  error(
    400,
    'unreadable_calendar',
    'The calendar file takes too long or too much memory to read, or its reader failed. Nothing more of it was stored.',
    'Export the calendar again, or split the file into smaller ones. Sending the same file again gives the same answer.',
  ),
  error(
    400,
    'unreadable_captions',
    'The caption file takes too long or too much memory to read, or its reader failed. Nothing was stored.',
    'Split the file into smaller ones. Sending the same file again gives the same answer.',
  ),
  error(
    400,
    'unreadable_message',
    'The raw message that was sent could not be read or stored. Nothing was stored.',
    'Check that it is a message as RFC 5322 defines it. Sending the same message again gives the same answer.',
  ),
  error(
    401,
    'unauthorized',
    'No credential was sent, or the one that was sent is not valid, or no longer.',
    'Sign in, or refresh the access token, and send it as `Authorization: Bearer …`. A personal access token may have expired or been revoked.',
  ),
  error(
    401,
    'invalid_credentials',
    'The e-mail or the password is wrong. Which of the two is never told.',
    'Check both and try again. After several failures in a row the answer becomes `rate_limited`.',
  ),
  error(
    401,
    'two_factor_required',
    'The password is right, and the account is protected by a second factor.',
    'Send the same request again with a `code` from the authenticator app, or a backup code.',
  ),
  error(
    401,
    'invalid_two_factor_code',
    'The second factor’s code is wrong, too old, or was used before.',
    'Wait for the next code of the authenticator app, or use a backup code that is still unused. Check that the clock of the device is right.',
  ),
  error(
    401,
    'invalid_refresh_token',
    'The refresh token is unknown or has expired, or its session was ended.',
    'Forget both tokens and sign in again.',
  ),
  error(
    401,
    'refresh_token_reused',
    'This refresh token was replaced more than 60 seconds ago, or by more than one newer token. Someone may hold a copy of it, so its session has been ended.',
    'Sign in again, and look through the account’s recent activity. A client must replace its refresh token with each new one it gets.',
  ),
  error(
    401,
    'invalid_reset_token',
    'The link for a new password was used already, or is older than 30 minutes.',
    'Ask for another link. Only the newest one that was used counts; each works once.',
  ),
  error(
    403,
    'forbidden',
    'The caller is known and still may not do this, or the request came in a way that this instance does not accept.',
    'Read `detail`. Some things are for the owner of the instance alone.',
  ),
  error(
    403,
    'origin_not_allowed',
    'The request was made by a page of another site.',
    'Call from the instance’s own pages or from outside a browser. If it is the instance’s own page, the operator sets `PUBLIC_URL` or adds the name to `ALLOWED_HOSTS`; other sites are added to `CORS_ORIGINS`.',
  ),
  error(
    403,
    'host_not_allowed',
    'The `Host` header holds a name that is not this instance’s.',
    'Use the address the instance is known by, or have the operator add the name to `ALLOWED_HOSTS`.',
  ),
  error(
    403,
    'reset_other_browser',
    'The link for a new password was opened in another browser than the one that asked for it.',
    'Open the link in the browser that asked, or ask for a new link in this one. Other HTTP clients send the cookie `factotum_reset` that the request for the link set.',
  ),
  error(
    403,
    'registration_closed',
    'New accounts need an invitation here.',
    'Ask the owner of the instance for one, and register with it.',
  ),
  error(
    403,
    'insufficient_scope',
    'The personal access token is good but does not reach this operation.',
    'Use a token that has the scope in `detail`. Operations that no token reaches need a signed-in person.',
  ),
  error(
    404,
    'not_found',
    'There is nothing at this address, or nothing with this id.',
    'Check the path and the id. What was deleted does not come back.',
  ),
  error(
    405,
    'method_not_allowed',
    'The path exists but does not take this method.',
    'Use one of the methods in the `Allow` header.',
  ),
  error(
    409,
    'conflict',
    'The request does not fit the present state: something like it exists already, or the first request with this `Idempotency-Key` is still at work.',
    'Read the resource again and decide. When there is a `Retry-After` header, wait that long and repeat the request unchanged.',
  ),
  error(
    409,
    'email_taken',
    'Another account has this e-mail address.',
    'Sign in to that account, or use another address.',
  ),
  error(
    409,
    'not_configured',
    'This needs a service that has not been set up yet.',
    'Set it up first; `detail` says what is missing.',
  ),
  error(
    409,
    'meeting_refused',
    'A mail about a meeting would do what its sender may not, or there is nothing for it to do; or an invitation cannot be answered.',
    'Read `detail`: it says who may, or what is missing.',
  ),
  error(
    409,
    'reset_mail_not_seen',
    'The address of the account is a mailbox that is connected here, and its sync has not seen the mail with the link yet.',
    'Wait until the mailbox is synced and try again. Move the mail to the inbox if it is in the junk folder. Otherwise the operator can set a new password.',
  ),
  error(
    409,
    'system_mail',
    'The message or file is mail that Factotum sent itself, such as a password reset. It is never stored.',
    'Leave it out, and send the other messages.',
  ),
  error(
    409,
    'idempotency_mismatch',
    'The `Idempotency-Key` was already used for a request with another body.',
    'Use a new key for each new request, and the old one only to repeat the very same.',
  ),
  error(
    409,
    'payment_refused',
    'The card, or whatever was to be paid with, was refused by the payment provider.',
    'Use another card or way to pay; the bank can say why it refused this one.',
  ),
  error(
    412,
    'precondition_failed',
    'The resource was changed since you read it: `If-Match` no longer names its version.',
    'Read it again, apply your change to what is there now, and send the new `ETag`.',
  ),
  error(
    413,
    'too_large',
    'The body is larger than this operation takes.',
    'Send less, or in several requests.',
  ),
  error(
    415,
    'unsupported_media_type',
    'The body is of a kind that this operation does not read.',
    'Send JSON with `Content-Type: application/json`, unless the operation names another type.',
  ),
  error(
    429,
    'rate_limited',
    'Too many requests, or too many failed tries to sign in, in a short time.',
    'Wait as many seconds as `Retry-After` says.',
  ),
  error(
    429,
    'spending_limit',
    'What may be spent on language models today is spent: by the instance, or by this token.',
    'Wait until tomorrow (`Retry-After`), raise `AI_DAILY_LIMIT_USD` or `AI_TOKEN_DAILY_LIMIT_USD`, or set `AI_FALLBACK=builtin`.',
  ),
  error(
    500,
    'internal',
    'Something went wrong on this side. Nothing about the request needs to be wrong.',
    'Try again later. When it stays, give the operator the `requestId`: it leads to the log.',
  ),
  error(
    502,
    'upstream_failed',
    'Another service that this depends on refused, failed, or answered with something unreadable.',
    'Try again later, and check the settings and the credential for that service.',
  ),
  error(
    503,
    'unavailable',
    'The instance cannot serve this right now: it is starting, stopping or overloaded, or its database does not answer.',
    'Try again shortly; after `Retry-After` when it is given.',
  ),
  error(
    504,
    'upstream_timeout',
    'Another service that this depends on did not answer in time.',
    'Try again later. Whether that service did what it was asked is not known.',
  ),
]

export const findError = (code: string): CataloguedError | undefined =>
  ERROR_CATALOGUE.find((known) => known.code === code)
