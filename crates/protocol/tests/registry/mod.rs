mod changes;
mod describing;
mod finding;
mod hostile;
mod paging;
mod reading;
mod versions;
