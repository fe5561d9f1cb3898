import { KNOWN_WORDS } from './known-words.ts'

/*
 * Kinds of words, written by hand: what a learner has seen of one word of a kind it then knows of the others. "Rain" and
 * "hail" are weather though only one of them was in its sentences.
 */
const CLASSES: Readonly<Record<string, string>> = {
  weekday:
    'monday tuesday wednesday thursday friday saturday sunday weekday weekend mon tue wed thu fri sat sun',
  month:
    'january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec',
  relday: 'today tomorrow tonight yesterday',
  daypart: 'morning afternoon evening night noon midnight lunchtime midday dawn dusk am pm',
  unit: 'second seconds minute minutes hour hours day days week weeks month months year years decade century',
  number:
    'one two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half quarter dozen',
  ordinal:
    'first second third fourth fifth sixth seventh eighth ninth tenth last next previous following upcoming',
  weather:
    'weather forecast rain rainy raining rains snow snowy snowing sunny sunshine cloudy clouds storm stormy hail wind windy humid humidity temperature degrees fahrenheit celsius umbrella raincoat jacket coat sunscreen sunglasses cold hot warm chilly freezing thunderstorm drizzle fog foggy hurricane tornado heat climate precipitation outside sandals boots blizzard sleet flood monsoon overcast breeze breezy gusts muggy sweater shorts hoodie scarf gloves flops flip sunblock uv pollen barometer wet dry icy frost dew mild cooler warmer snowfall rainfall shower showers lightning thunder conditions',
  music:
    'song songs music track tracks album albums playlist playlists band singer artist tune tunes melody lyrics remix hits musician composer beat spotify pandora itunes soundtrack beatles elvis madonna beyonce adele rihanna shakira eminem drake coldplay metallica nirvana queen prince jackson bieber swift gaga sheeran mozart beethoven bach dylan floyd zeppelin stones sing sings singing sang concerto youtube vocals guitar piano',
  genre:
    'rock jazz pop rap hip hop classical country metal blues reggae techno electronic folk punk soul disco opera indie instrumental hiphop rnb dance house trance dubstep salsa christian gospel swing acoustic symphony oldies eighties nineties seventies romantic sad upbeat relaxing',
  audio:
    'radio station fm podcast podcasts episode episodes audiobook audiobooks audible broadcast channel npr bbc kexp sirius host hosted talk show am stations tune tuned tuning frequency chapter narrator narrated book books novel reading audio kindle sermon serial ted',
  hear: 'play listen hear resume pause shuffle skip rewind replay stream start played playing plays listening put continue unpause fast forward next previous loop repeat',
  loud: 'volume loud louder quiet quieter mute unmute silent silence speaker speakers sound audio noise vibrate earphones headphones hush whisper shush tone bass talk speak talking',
  up: 'up increase raise higher louder more turn_up brighter maximum max boost',
  down: 'down decrease lower reduce softer less dim darker minimum min quieter',
  off: 'off shut kill disable deactivate unplug',
  on: 'on enable activate plug',
  light:
    'light lights lamp lamps bulb bulbs lighting brightness bright hue dim chandelier illumination dimmer flashlight spotlight nightlight brighten darken glow led dark darker',
  colour:
    'red blue green yellow purple pink orange white black brown violet magenta turquoise color colors colour colours cyan teal',
  room: 'bedroom kitchen bathroom livingroom living hallway garage basement attic office porch hall room house den corridor washroom',
  socket: 'socket outlet plug wemo switch switches smart',
  clean:
    'vacuum vacuuming clean cleaner cleaning roomba robot hoover sweep mop dust dusting carpet rug floor floors dirty cleanup tidy dishes laundry wash broom neat flat',
  coffee:
    'coffee espresso latte cappuccino cup brew coffeemaker mocha americano mug barista tea starbucks cuppa caffeine decaf coffeepot',
  alarm: 'alarm alarms wake snooze alert alerts buzzer wakeup waking awake bedtime clock nap',
  remind:
    'remind reminder reminders remember forget notify notification notifications reminds reminding memo alert ping prompt',
  calendar:
    'calendar calender schedule scheduled agenda event events appointment appointments meeting meetings meet calendars diary schedules rescheduled reschedule appointmnet calandar invites invite invitation plans planned planner program programs itinerary free busy booked',
  occasion:
    'birthday party anniversary wedding lunch dinner breakfast brunch conference interview dentist doctor haircut barber vacation trip holiday concert graduation ceremony reunion funeral date class lesson practice game match checkup gym yoga standup deadline baptism christening recital rehearsal exam test tests seminar workshop presentation thanksgiving christmas easter halloween valentine hanukkah ramadan diwali independence memorial labor holidays payday dance prom picnic bbq barbecue camping hiking swim swimming tournament lessons classes massage spa',
  list: 'list lists todo grocery groceries shopping checklist item items chores errands todos wishlist supplies entry line',
  mail: 'email emails mail mails inbox gmail message messages outlook unread reply respond replies compose send sent attachment subject spam emailed emailing mailbox hotmail yahoo cc bcc forward draft correspondence letter replied',
  contact:
    'contact contacts number phone address addresses phonebook directory relative surname nickname info details save saved',
  kin: 'mom mother dad father brother sister wife husband son daughter uncle aunt grandma grandmother grandpa cousin boss manager friend friends colleague coworker girlfriend boyfriend parents family kids nephew niece mum roommate neighbor',
  person:
    'john mary bob sarah mike jack tom jane james peter paul mark david anna susan steve jim joe bill george alex chris kate lisa linda karen robert michael jennifer sam adam emma ben daniel kevin brian laura rachel amy angela martin nancy ana maria emily jessica ashley amanda melissa nicole stephanie rebecca sharon cynthia kathleen helen deborah carol ruth olivia sophia charlotte amelia harper grace chloe lucy lily claire alice julia diana victoria samantha megan hannah natalie andrea christine heather kelly joseph thomas charles christopher matthew anthony andrew joshua kenneth ronald timothy jason edward jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick dennis jerry tyler aaron jose henry nathan douglas zachary kyle walter ethan jeremy harold keith noah gerald carl terry sean austin arthur lawrence jesse dylan bryan bruce gabriel albert willie alan juan wayne elijah randy roy vincent ralph eugene russell bobby mason philip louis harry johnny dave nick tony matt dan jeff ted max leo fred doug greg ken pam beth sue ann liz meg raj ravi priya amit mohammed ali omar fatima chen wei',
  work: 'boss team client office colleague colleagues coworkers work project report company business job employee hr',
  social:
    'facebook twitter tweet tweets instagram snapchat post posts status linkedin social feed wall timeline hashtag retweet whatsapp reddit tumblr pinterest followers follow share tag trending trends comment comments photo photos picture pictures complaint complain complaining customer service dm profile likes myspace vine tweeting tweeted posted upload',
  news: 'news headline headlines cnn bbc fox newspaper times politics election president trump obama brexit article articles current affairs latest world guardian reuters elections breaking report reports journal huffington post nytimes washington political sports sport happenings updates update coverage msnbc abc nbc aljazeera economy technology science white house senate',
  money:
    'dollar dollars euro euros pound pounds yen rupee rupees currency exchange rate peso usd gbp eur franc won yuan bitcoin cents convert forint krona krone ruble rubles lira dinar dirham shekel baht ringgit rand cad aud inr jpy chf cny sterling cent coins cash monetary conversion',
  stock:
    'stock stocks share shares price prices market nasdaq dow jones trading nyse ticker worth google apple microsoft amazon tesla ibm walmart facebook netflix samsung sony nike boeing ford disney starbucks intel oracle cisco pepsi coke cola twitter uber exxon verizon shareholder invest investment investing index portfolio',
  bank: 'bank account balance checking savings transfer deposit withdraw loan credit card debit mortgage interest apr payment payments bill bills transaction transactions overdraft pin routing fraud limit score atm check checks',
  tax: 'tax taxes irs w2 income return refund refunds salary payday paycheck paid pay wage 401k pto insurance benefits',
  maths:
    'plus minus times divided square root sum multiply multiplied subtract add calculate equals percent percentage equation math maths solve number divide multiplication addition subtraction logarithm cosine tangent sine cube squared cubed algebra arithmetic fraction average calculator compute',
  define:
    'define definition meaning mean means describe explain dictionary synonym spelling spell word words translate say definitions defined terms term thesaurus pronounce described details elaborate detail information info about antonym',
  language:
    'english spanish french german italian chinese japanese russian hindi portuguese arabic korean latin dutch swedish turkish',
  country:
    'usa america england france germany italy spain china japan india russia canada mexico brazil australia africa europe asia uk ireland scotland poland greece egypt israel thailand vietnam korea turkey cuba peru argentina norway sweden finland pakistan bangladesh indonesia philippines malaysia singapore iran iraq syria lebanon jordan kuwait qatar morocco algeria tunisia libya nigeria kenya ghana ethiopia uganda tanzania zimbabwe colombia venezuela chile ecuador bolivia paraguay uruguay panama jamaica haiti dominican portugal belgium netherlands holland denmark iceland austria switzerland hungary romania bulgaria croatia serbia ukraine belarus estonia latvia lithuania wales zealand nepal tibet mongolia american british european african asian australian canadian texas california florida ohio georgia virginia carolina dakota michigan illinois pennsylvania arizona nevada oregon washington colorado utah montana wyoming idaho kansas missouri iowa minnesota wisconsin indiana kentucky tennessee alabama mississippi louisiana arkansas oklahoma nebraska maine vermont hampshire massachusetts connecticut jersey delaware maryland hawaii alaska state states',
  city: 'london paris york angeles chicago boston tokyo berlin rome madrid delhi mumbai sydney toronto seattle dallas houston atlanta miami vegas francisco denver austin philadelphia orlando detroit phoenix moscow dubai beijing shanghai city town manchester liverpool birmingham leeds edinburgh glasgow dublin cardiff bristol oxford cambridge amsterdam brussels vienna zurich geneva prague budapest warsaw athens istanbul lisbon barcelona milan venice naples florence munich hamburg frankfurt cologne stockholm oslo helsinki copenhagen kiev bangkok manila jakarta hanoi seoul osaka kyoto kong taipei bangalore chennai kolkata hyderabad pune karachi lahore dhaka cairo lagos nairobi johannesburg melbourne brisbane perth auckland montreal vancouver ottawa havana lima bogota santiago diego jose antonio portland sacramento oakland nashville memphis charlotte cleveland columbus cincinnati pittsburgh baltimore milwaukee minneapolis louis orleans tampa jacksonville honolulu anchorage brooklyn manhattan queens buffalo albany hartford providence richmond raleigh louisville indianapolis omaha tulsa albuquerque tucson fresno ny nyc la dc sf',
  quiz: 'capital population president tall height old age born invented discovered founded highest largest biggest deepest mountain river ocean planet inventor author wrote king queen actor actress movie famous died history distance far located many longest smallest shortest tallest oldest youngest richest fastest wife husband married children birthplace birthday net biography fact facts island lake desert continent continents war battle century ancient dinosaur animal animals species speed weight temperature boiling sun moon earth star stars galaxy solar element chemical formula currency flag religion language spoken governor senator mayor minister senate congress director starred album novel book painting artist scientist',
  food: 'food pizza sushi burger burgers sandwich pasta chicken beef fish salad soup rice bread cheese eggs egg milk butter cake cookies curry tacos taco noodles steak bacon pie fruit apples vegetables chocolate indian thai mexican chinese meat sugar potatoes potato lasagna spaghetti bananas dessert hamburger cheeseburger fries wings hotdog hotdogs turkey ham pork lamb shrimp salmon tuna lobster crab tofu beans corn tomato tomatoes onion onions garlic carrots lettuce spinach broccoli mushroom mushrooms avocado apple banana oranges lemon lemons grapes strawberries berries nuts peanut jam jelly honey flour salt pepper spices oil vinegar yogurt cream icecream ice cereal oatmeal pancakes waffles toast bagel muffin donuts donut brownies pudding casserole stew chili ramen pho falafel hummus kebab burrito burritos nachos enchiladas dumplings eggroll wine beer juice soda water snack snacks toothpaste shampoo soap detergent toilet paper towels diapers batteries',
  cook: 'recipe recipes cook cooking bake baking boil fry grill ingredients ingredient oven microwave roast cooked prepare make dish meal calories nutrition healthy substitute temperature',
  eat: 'restaurant restaurants takeaway takeout delivery deliver order dominos mcdonalds eat dine cafe bar pub diner reservation table menu subway cuisine hungry steakhouse kfc chipotle starbucks wendys pizzeria bistro catering buffet panda papa johns wings domino craving starving delivers delivering delivered ordered orders',
  place:
    'store stores shop shops mall near nearby nearest closest around local area theater museum park hotel hotels supermarket pharmacy gas cinema hospital beach airport bookstore bank library school university church gym salon market bakery zoo aquarium gallery stadium stop shopping plaza bars clubs nightclub parking venue location locations neighborhood vicinity',
  film: 'movie movies film films theater cinema showing theatre netflix trailer tv show shows series comedy thriller horror drama romcom documentary watch watching imdb oscar screening playing actors hulu',
  show: 'events event festival festivals concert concerts happening fair exhibition performance gig parade fun activities exhibitions shows gigs carnival marathon expo rally meetup meetups show tonight weekend things',
  taxi: 'taxi cab uber lyft ride pickup driver book cabs rides chauffeur minicab carpool',
  train:
    'train trains ticket tickets bus buses flight flights plane railway station metro amtrak airline airlines subway travel fly depart departs departure arrive arrives arrival luggage boarding visa passport vaccine railroad eurostar rail platform coach fare fares airfare airplane jet delta united schedule timetable southwest ferry cruise trip tram boat',
  road: 'traffic directions route road highway drive driving map navigate jam congestion commute way gps distance long far street bridge lane fastest shortest accident accidents detour interstate freeway roads streets blocked construction bypass toll exit turn mile miles kilometers kilometres',
  car: 'car cars tire tires oil engine mpg gas gasoline fuel battery vehicle mechanic jump tank mileage',
  joke: 'joke jokes funny laugh humor hilarious amuse humour pun puns riddle knock comedian sarcastic laughter giggle',
  game: 'game games chess puzzle checkers tictactoe sudoku solitaire hangman trivia monopoly minecraft poker bingo cards quiz racing tic tac toe pokemon mario scrabble crossword candy crush saga pong tetris snake level play arcade soccer football hide seek fifa xbox playstation nintendo',
  like: 'like love enjoy favorite favourite best dislike hate prefer loved liked rate rating great awesome likes loving favorites favourites disliked fond thumbs star stars rated review reviews hated adore fan worst save',
  thank:
    'thanks thank awesome great excellent good nice well wonderful perfect amazing brilliant cool fantastic appreciate superb',
  no: "no not don't isn't wasn't wrong incorrect nope never doesn't didn't negative nah",
  yes: 'yes yeah yep sure right correct exactly okay ok affirmative indeed true absolutely yup agree',
  again: 'again repeat pardon sorry rephrase restate resay clarify elaborate understand understood',
  stop: 'stop cancel quit halt end cease abort enough shutdown pause terminate hold nevermind',
  care: 'matter whatever anything either mind care whichever fine choose opinion difference',
  hello: 'hello hi hey greetings howdy morning goodbye bye farewell goodnight',
  self: "you your yourself siri alexa olly google pda assistant bot robot ai computer you're you've you'll yours her him siri's cortana echo jarvis machine program software app phone human",
  clock:
    "clock o'clock time hour timezone zone date gmt est pst utc timer timezones eastern pacific central mountain cst difference convert current midnight daylight",
  make: 'add create make set put schedule book include insert new plan arrange place',
  drop: 'remove delete erase clear cancel discard cross take drop eliminate',
  ask: 'what when where who which how why whose whom',
  want: 'want need like would could can please wish must have should',
  look: 'show tell find search look check see read give list display view know any get open',
  feel: 'sad happy bored tired lonely feel feeling depressed angry mood sick life death love meaning god soul think believe alone stressed anxious excited hungry thirsty sleepy cry relationship girlfriend marriage dream dreams future human humans universe alien aliens exist purpose real smart intelligent stupid crazy weird wonder hate friend advice',
  sport:
    'football basketball baseball soccer hockey cricket tennis nfl nba team score scores player match league super bowl olympics golf rugby boxing wrestling racing formula nascar ufc premier standings champion championship won win winner playoffs lakers yankees patriots cowboys warriors manchester cup goal',
  health:
    'sick flu headache symptoms medicine pain shot shots disease doctor nutritional calories vitamins blood diet weight lose exercise exercises workout sleep protein carbs vitamin cancer diabetes allergy allergies medical medication pill pills',
  phone:
    'phone call dial text sms ring cell mobile voicemail sync device lost find app iphone android tablet laptop battery charger wifi bluetooth siri voice settings screen computer internet website browser',
}

const MEMBERS = new Map<string, string[]>()
for (const lists of [CLASSES, KNOWN_WORDS])
  for (const [name, words] of Object.entries(lists))
    for (const word of words.split(' ')) {
      const own = MEMBERS.get(word)
      if (own) own.push(name)
      else MEMBERS.set(word, [name])
    }

const NONE: readonly string[] = []

/** The kinds to which a word in lower case belongs. */
export const classesOf = (word: string): readonly string[] => MEMBERS.get(word) ?? NONE
