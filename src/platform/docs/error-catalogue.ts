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

/** Every code that a problem may have, ordered by status. The `type` of a problem links to its entry. */
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
    'The page could not be fetched: its address is private, it was not found, did not respond, is too large, or is not an HTML page.',
    'Read `errors`: it names the step that failed. Check the address in a browser. Send a page that only you can reach as `html`.',
  ),
  error(
    400,
    'unreadable_calendar',
    'The calendar file takes too long or too much memory to parse, or its parser failed. Nothing more of it was stored.',
    'Export the calendar again, or split the file into smaller ones. Sending the same file again gives the same answer.',
  ),
  error(
    400,
    'unreadable_captions',
    'The caption file takes too long or too much memory to parse, or its parser failed. Nothing was stored.',
    'Split the file into smaller ones. Sending the same file again gives the same answer.',
  ),
  error(
    400,
    'unreadable_file',
    'The vCard file, table or JSON file takes too long or too much memory to parse, or its parser failed. Nothing was stored.',
    'Split the file into smaller ones. Sending the same file again gives the same answer.',
  ),
  error(
    400,
    'unreadable_message',
    'The raw message that was sent could not be read or stored. Nothing was stored.',
    'Check that it is a message as RFC 5322 defines it. Sending the same message again gives the same answer.',
  ),
  error(
    400,
    'too_many_emails',
    'The conversations have more emails than one request may change. Nothing was changed.',
    'Send fewer `threadIds`, or limit the request to one `folder`. Change the emails of a very long conversation one by one.',
  ),
  error(
    401,
    'unauthorized',
    'No credential was sent, or it is invalid or has expired.',
    'Sign in, or refresh the access token, and send it as `Authorization: Bearer …`. A personal access token may have expired or been revoked.',
  ),
  error(
    401,
    'invalid_credentials',
    'The email or the password is wrong. The response does not say which.',
    'Check both and try again. After several failures in a row the answer becomes `rate_limited`.',
  ),
  error(
    401,
    'two_factor_required',
    'The password is correct, but the account requires a second factor.',
    'Send the same request again with a `code` from the authenticator app, or a backup code.',
  ),
  error(
    401,
    'invalid_two_factor_code',
    'The second factor’s code is wrong, expired, or was used before.',
    'Wait for the next code of the authenticator app, or use an unused backup code. Check the clock of the device.',
  ),
  error(
    401,
    'invalid_refresh_token',
    'The refresh token is unknown or has expired, or its session was ended.',
    'Discard both tokens and sign in again.',
  ),
  error(
    401,
    'refresh_token_reused',
    'This refresh token was replaced more than 60 seconds ago, or by more than one newer token. Someone may hold a copy of it, so its session has been ended.',
    'Sign in again, and check the account’s recent activity. A client must replace its refresh token with each new one.',
  ),
  error(
    401,
    'invalid_reset_token',
    'The password reset link was already used, or is older than 30 minutes.',
    'Request another link. Each link works once.',
  ),
  error(
    403,
    'forbidden',
    'The caller lacks the permission, or the instance does not accept requests from this address.',
    'Read `detail`. Some operations are limited to the owner of the instance.',
  ),
  error(
    403,
    'origin_not_allowed',
    'The request came from a page of another site.',
    'Call from the instance’s own pages or from outside a browser. If it is the instance’s own page, set `PUBLIC_URL` or add the name to `ALLOWED_HOSTS`. To allow another site, add it to `CORS_ORIGINS`.',
  ),
  error(
    403,
    'https_required',
    'A calendar, task or contact app of another device connected without https. The password of the app would be readable in the network.',
    'Set up https and set `PUBLIC_URL` to the address, as `/help/dav` explains. Apps on the machine of the instance may connect without https.',
  ),
  error(
    403,
    'host_not_allowed',
    'The `Host` header contains an unknown host name.',
    'Use the address of the instance, or ask the operator to add the name to `ALLOWED_HOSTS`.',
  ),
  error(
    403,
    'reset_other_browser',
    'The password reset link was opened in another browser than the one that requested it.',
    'Open the link in the browser that requested it, or request a new link in this one. Other HTTP clients must send the cookie `factotum_reset` from the response to that request.',
  ),
  error(
    403,
    'account_disabled',
    'The owner of the instance has disabled this account.',
    'Ask the owner of the instance.',
  ),
  error(
    403,
    'registration_closed',
    'Registration requires an invitation.',
    'Ask the owner of the instance for one, and register with it.',
  ),
  error(
    403,
    'insufficient_scope',
    'The personal access token is valid but lacks the scope for this operation.',
    'Use a token with the scope in `detail`. Operations without a scope require a session.',
  ),
  error(
    404,
    'not_found',
    'The path or the id does not exist.',
    'Check the path and the id. Deleted resources do not come back.',
  ),
  error(
    405,
    'method_not_allowed',
    'The path exists but does not allow this method.',
    'Use one of the methods in the `Allow` header.',
  ),
  error(
    409,
    'time_taken',
    'A planned block overlaps an event or another block. Nothing was booked.',
    'Move the block that `errors` names, or leave it out, and send the request again.',
  ),
  error(
    409,
    'conflict',
    'The request conflicts with the current state: the resource already exists, or the first request with this `Idempotency-Key` is still in progress.',
    'Fetch the resource again and decide. If there is a `Retry-After` header, wait that long and repeat the request unchanged.',
  ),
  error(
    409,
    'folder_exists',
    'The mail server already has a folder with this name in the same place.',
    'Choose another name, or use the existing folder.',
  ),
  error(
    409,
    'folder_not_empty',
    'The folder contains emails or other folders.',
    'Move or delete its subfolders first. Move its emails, or delete the folder with `emails=trash`.',
  ),
  error(
    409,
    'email_taken',
    'Another account has this email address.',
    'Sign in to that account, or use another address.',
  ),
  error(
    409,
    'not_configured',
    'This operation requires a service that is not configured.',
    'Configure it first; `detail` says what is missing.',
  ),
  error(
    409,
    'meeting_refused',
    'The sender of a meeting email lacks the permission for its change, the email has no effect, or an invitation cannot be answered.',
    'Read `detail`: it says who has the permission, or what is missing.',
  ),
  error(
    409,
    'reset_mail_not_seen',
    'The address of the account is a connected mailbox, and its sync has not found the email with the link yet.',
    'Wait until the mailbox is synced and try again. Move the email to the inbox if it is in the junk folder. Otherwise the operator can set a new password.',
  ),
  error(
    409,
    'system_mail',
    'The message or file is an email that Factotum itself sent, such as a password reset. It is never stored.',
    'Leave it out, and send the other messages.',
  ),
  error(
    409,
    'idempotency_mismatch',
    'The `Idempotency-Key` was already used for a request with another body.',
    'Use a new key for each new request, and the old one only to repeat the same request.',
  ),
  error(
    409,
    'payment_refused',
    'The payment provider declined the card or payment method.',
    'Use another payment method, or ask the bank why it declined this one.',
  ),
  error(
    412,
    'precondition_failed',
    'The resource has changed since you fetched it: `If-Match` does not match its current version.',
    'Fetch it again, apply your change to the current version, and send the new `ETag`.',
  ),
  error(
    413,
    'too_large',
    'The body is larger than this operation allows.',
    'Send less data, or use several requests.',
  ),
  error(
    413,
    'storage_full',
    'The storage of the account has reached its limit. Nothing was stored.',
    'Delete emails, or ask the owner of the instance to raise the limit. Reading and deleting still work, and emails without attachments can be sent.',
  ),
  error(
    415,
    'unsupported_media_type',
    'This operation does not accept the media type of the body.',
    'Send JSON with `Content-Type: application/json`, unless the operation names another type.',
  ),
  error(
    429,
    'rate_limited',
    'Too many requests, or too many failed sign-in attempts, in a short time.',
    'Wait as many seconds as `Retry-After` says.',
  ),
  error(
    429,
    'spending_limit',
    'The daily spending limit for language models is reached: that of the instance, or of this token.',
    'Wait until tomorrow (`Retry-After`), raise `AI_DAILY_LIMIT_USD` or `AI_TOKEN_DAILY_LIMIT_USD`, or set `AI_FALLBACK=builtin`.',
  ),
  error(
    500,
    'internal',
    'An internal error occurred. The request itself may be valid.',
    'Try again later. If the error persists, give the operator the `requestId`, which identifies the log entry.',
  ),
  error(
    502,
    'upstream_failed',
    'Another service that this operation depends on rejected the request, failed, or sent an invalid response.',
    'Try again later, and check the settings and the credential for that service.',
  ),
  error(
    503,
    'unavailable',
    'The instance cannot serve this right now: it is starting, stopping or overloaded, or its database does not respond.',
    'Try again shortly, or after `Retry-After` if the header is present.',
  ),
  error(
    503,
    'storage_unavailable',
    'The bucket that stores messages and attachments does not respond, or denies access. Nothing is lost: new content is stored locally until then.',
    'Try again after `Retry-After`. The operator finds the reason with `factotum doctor`.',
  ),
  error(
    504,
    'upstream_timeout',
    'Another service that this operation depends on did not respond in time.',
    'Try again later. It is unknown whether that service executed the request.',
  ),
]
